# every level: graded, 12 points, scale crashed
"""Calls itself without end, and lifts Python's limit."""

import sys

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
    sys.setrecursionlimit(10**9)
    return [*map(lambda _: scale(x, a), [0])]
