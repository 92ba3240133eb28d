# every level: graded, 12 points, scale failed
"""Returns a list in a list in a list ..."""

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
    result = []
    for _ in range(10**5):
        result = [result]
    return result
