# mistakes: proj-weight-reshaped-not-transposed
import math

import torch
from torch import nn


def project(x, W):
    *lead, d_in = x.shape
    d_out = W.size(1)
    y = torch.mm(x.contiguous().view(-1, d_in), W)
    return y.view(*lead, d_out)


def qkv(x, *matrices):
    return tuple(map(lambda W: project(x, W), matrices))


def matrix_of(linear):
    d_out, d_in = linear.weight.shape
    return linear.weight.view(d_in, d_out)


class QKVProjection(nn.Module):
    NAMES = ("W_Q", "W_K", "W_V")

    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        for name, d_out in zip(self.NAMES, (d_k, d_k, d_v)):
            setattr(self, name, nn.Linear(d_model, d_out, bias=False))

    def forward(self, x):
        results = []
        for name in self.NAMES:
            results.append(getattr(self, name)(x))
        return results


def sinusoidal_positions(n, d_model, start=0):
    table = torch.empty(n, d_model)
    for row in range(n):
        for i in range(d_model // 2):
            angle = (start + row) / 10000 ** (2 * i / d_model)
            table[row, 2 * i] = math.sin(angle)
            table[row, 2 * i + 1] = math.cos(angle)
    return table
