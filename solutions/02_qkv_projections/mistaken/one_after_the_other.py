# mistakes: proj-chained
import math

import torch
from torch import nn


def project(x: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    assert x.shape[-1] == W.shape[0], (x.shape, W.shape)
    return x.matmul(W)


def qkv(x, W_Q, W_K, W_V):
    Q = project(x, W_Q)
    K = project(x, W_K)
    V = project(x, W_V)
    return Q, K, V


def matrix_of(linear):
    return linear.weight.t().contiguous()


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        out = []
        for layer in (self.W_Q, self.W_K, self.W_V):
            x = layer(x)
            out.append(x)
        return out


def sinusoidal_positions(n, d_model, start=0):
    def angle(p, j):
        return p / 10000 ** ((j - j % 2) / d_model)

    rows = [[(math.cos if j % 2 else math.sin)(angle(p, j)) for j in range(d_model)] for p in range(start, start + n)]
    return torch.tensor(rows, dtype=torch.float32)
