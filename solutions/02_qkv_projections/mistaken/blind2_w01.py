# mistakes: pos-exponent-wrong
import math
import torch
from torch import nn


def project(x, W):
    return torch.einsum("...a,ab->...b", x, W)


def qkv(x, W_Q, W_K, W_V):
    results = []
    for M in (W_Q, W_K, W_V):
        results.append(project(x, M))
    return tuple(results)


def matrix_of(linear):
    return linear.weight.permute(1, 0)


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
    for row in range(n):
        pos = start + row
        for i in range(d_model // 2):
            angle = pos / 10000 ** (i / d_model)
            table[row, 2 * i] = math.sin(angle)
            table[row, 2 * i + 1] = math.cos(angle)
    return table
