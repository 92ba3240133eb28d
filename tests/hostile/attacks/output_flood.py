# every level: graded, 12 points, scale failed|timeout
"""Prints 20 megabytes."""

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
    for _ in range(20):
        print('x' * 10**6)
    return x
