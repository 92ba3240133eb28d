# mistakes: proj-weight-not-transposed
import math

import torch
import torch.nn.functional as F
from torch import nn


def project(x, W):
    # (..., T, d_in) x (d_in, d_out)
    out = torch.matmul(x, W)
    return out


def qkv(x, W_Q, W_K, W_V):
    out = {}
    for name, W in zip("QKV", [W_Q, W_K, W_V]):
        out[name] = project(x, W)
    return out["Q"], out["K"], out["V"]


def matrix_of(linear):
    d_in, d_out = linear.in_features, linear.out_features
    columns = [linear.weight[:, i] for i in range(d_in)]
    return torch.stack(columns, dim=1)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        for name, width in [("W_Q", d_k), ("W_K", d_k), ("W_V", d_v)]:
            layer = nn.Linear(in_features=d_model, out_features=width, bias=False)
            nn.init.xavier_uniform_(layer.weight)
            self.add_module(name, layer)

    def forward(self, x):
        return tuple(F.linear(x, layer.weight) for layer in (self.W_Q, self.W_K, self.W_V))


def sinusoidal_positions(n, d_model, start=0):
    table = torch.empty(n, d_model)
    for row in range(n):
        for i in range(d_model // 2):
            angle = (start + row) / 10000 ** (2 * i / d_model)
            table[row, 2 * i] = math.sin(angle)
            table[row, 2 * i + 1] = math.cos(angle)
    return table
