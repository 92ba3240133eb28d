# every level: graded, 12 points, scale crashed|failed
"""Fills a folder with files."""

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
    for number in range(10**7):
        open(f'{number}', 'w').close()
