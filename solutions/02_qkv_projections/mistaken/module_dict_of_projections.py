# mistakes: proj-layers-under-other-names
import math
import torch
from torch import nn


def project(x, W):
    return torch.matmul(x, W)


def qkv(x, W_Q, W_K, W_V):
    return [torch.matmul(x, W) for W in (W_Q, W_K, W_V)]


def matrix_of(linear):
    return linear.weight.transpose(0, 1)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        widths = dict(q=d_k, k=d_k, v=d_v)
        self.proj = nn.ModuleDict({name: nn.Linear(d_model, width) for name, width in widths.items()})

    def forward(self, x):
        return tuple(layer(x) for layer in self.proj.values())


def sinusoidal_positions(n, d_model, start=0):
    pe = torch.zeros(n, d_model)
    for k in range(0, d_model, 2):
        w = math.exp(-math.log(10000.0) * k / d_model)
        for row in range(n):
            pe[row, k] = math.sin((start + row) * w)
            pe[row, k + 1] = math.cos((start + row) * w)
    return pe
