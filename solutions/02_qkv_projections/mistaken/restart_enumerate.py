# mistakes: kv-cache-positions-restart
import math

import torch
from torch import nn


def project(x, W):
    # (..., T, d_in) x (d_in, d_out)
    out = torch.matmul(x, W)
    return out


def qkv(x, *matrices):
    return tuple(map(lambda W: project(x, W), matrices))


def matrix_of(linear):
    weight = dict(linear.named_parameters())["weight"]
    return weight.permute(1, 0)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    table = torch.zeros(n, d_model)
    for p, row in enumerate(table):
        for j in range(0, d_model, 2):
            row[j] = math.sin(p / 10000 ** (j / d_model))
            row[j + 1] = math.cos(p / 10000 ** (j / d_model))
    return table
