# mistakes: proj-shared-qkv-layer
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
    W = linear.weight.transpose(0, 1)
    return W.clone()


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        q = k = v = self.W_Q(x)
        return q, k, v


def sinusoidal_positions(n, d_model, start=0):
    table = torch.empty(n, d_model)
    for row in range(n):
        for i in range(d_model // 2):
            angle = (start + row) / 10000 ** (2 * i / d_model)
            table[row, 2 * i] = math.sin(angle)
            table[row, 2 * i + 1] = math.cos(angle)
    return table
