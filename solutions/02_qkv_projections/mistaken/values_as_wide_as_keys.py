# mistakes: proj-layer-width-wrong
import math

import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    return [project(x, W) for W in (W_Q, W_K, W_V)]


def matrix_of(linear):
    return linear.weight.t().contiguous()


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        for name in ("W_Q", "W_K", "W_V"):
            setattr(self, name, nn.Linear(d_model, d_k, bias=False))

    def forward(self, x):
        return tuple(getattr(self, name)(x) for name in ("W_Q", "W_K", "W_V"))


def sinusoidal_positions(n, d_model, start=0):
    def angle(p, j):
        return p / 10000 ** ((j - j % 2) / d_model)

    rows = [[(math.cos if j % 2 else math.sin)(angle(p, j)) for j in range(d_model)] for p in range(start, start + n)]
    return torch.tensor(rows, dtype=torch.float32)
