# every level: graded, 12 points, scale out-of-memory
"""Takes memory without end: memory in tensors."""

import torch
from torch import nn


def total(x):
    return x.sum(-1)


class Layer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return x * self.weight


def scale(x, a):
    return torch.ones(200_000, 200_000).sum()
