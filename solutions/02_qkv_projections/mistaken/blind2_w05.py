# mistakes: proj-unpack-order-swapped, pos-n-taken-as-end
import math
import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    sizes = [W_Q.shape[1], W_V.shape[1], W_K.shape[1]]
    together = x @ torch.cat([W_Q, W_V, W_K], dim=1)
    return tuple(together.split(sizes, dim=-1))


def matrix_of(linear):
    return linear.weight.T


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        make = lambda d_out: nn.Linear(d_model, d_out, bias=False)
        self.W_Q, self.W_K, self.W_V = make(d_k), make(d_k), make(d_v)

    def forward(self, x):
        return [layer(x) for layer in (self.W_Q, self.W_K, self.W_V)]


def sinusoidal_positions(n, d_model, start=0):
    rows = []
    for p in range(start, n):
        row = []
        for i in range(0, d_model, 2):
            angle = p / math.pow(10000, i / d_model)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return torch.tensor(rows, dtype=torch.float32).reshape(-1, d_model)
