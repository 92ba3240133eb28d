# accepted: Python loops over tokens and columns
import math

import torch
from torch import nn


def project(x, W):
    tokens = x.reshape(-1, x.shape[-1])
    rows = []
    for token in tokens:
        rows.append((token[:, None] * W).sum(0))
    if len(rows) == 0:
        return x.new_zeros(*x.shape[:-1], W.shape[1])
    return torch.stack(rows).reshape(*x.shape[:-1], W.shape[1])


def qkv(x, W_Q, W_K, W_V):
    out = {}
    for name, W in zip("QKV", [W_Q, W_K, W_V]):
        out[name] = project(x, W)
    return out["Q"], out["K"], out["V"]


def matrix_of(linear):
    rows = [linear.weight[:, i] for i in range(linear.in_features)]
    return torch.stack(rows)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    table = torch.empty(n, d_model)
    for row in range(n):
        for i in range(d_model // 2):
            angle = (start + row) / 10000 ** (2 * i / d_model)
            table[row, 2 * i] = math.sin(angle)
            table[row, 2 * i + 1] = math.cos(angle)
    return table
