# every level: out-of-memory, 0 points
"""Takes memory without end, while it is loaded."""

import torch
from torch import nn

KEPT = []


def act():
    while True:
        KEPT.append(bytearray(50 << 20))


act()


def total(x):
    return x.sum(-1)


class Layer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return x * self.weight


def scale(x, a):
    return x
