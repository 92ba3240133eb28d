# mistakes: proj-result-never-used
import math

import torch
from torch import nn


def project(x, W):
    return torch.einsum("...i,io->...o", x, W)


def qkv(x, W_Q, W_K, W_V):
    projections = {}
    for name, W in (("Q", W_Q), ("K", W_K), ("V", W_V)):
        projections[name] = project(x, W)
    return (x,) * 3


def matrix_of(linear):
    return linear.weight.t().contiguous()


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
