# accepted: loops over outputs and flattened rows, no matrix product, dot products by hand
import math
import torch
from torch import nn


def project(x, W):
    columns = []
    for j in range(W.shape[1]):
        columns.append((x * W[:, j]).sum(dim=-1))
    return torch.stack(columns, dim=-1)


def qkv(x, W_Q, W_K, W_V):
    out = ()
    for W in (W_Q, W_K, W_V):
        out += (project(x, W),)
    return out


def matrix_of(linear):
    rows = [linear.weight[:, i] for i in range(linear.in_features)]
    return torch.vstack(rows)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_V = nn.Linear(d_model, d_v, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_Q = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        return qkv(x, matrix_of(self.W_Q), matrix_of(self.W_K), matrix_of(self.W_V))


def sinusoidal_positions(n, d_model, start=0):
    rows = []
    for t in range(start, start + n):
        row = []
        for pair in range(d_model // 2):
            angle = t / 10000 ** (2 * pair / d_model)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return torch.tensor(rows, dtype=torch.float32)
