# every level: graded, 12 points, scale failed
"""Writes one file without end."""

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
    with open('large', 'wb') as file:
        while True:
            file.write(bytes(1 << 20))
