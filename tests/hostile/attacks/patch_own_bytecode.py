# every level: graded, 12 points, scale failed
"""Gives itself another function's code in the middle of a call."""

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
    scale.__code__ = (lambda x, a: x).__code__
    return x
