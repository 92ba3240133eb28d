# every level: graded, 12 points, scale timeout
"""Raises an error whose text takes for ever."""

import torch
from torch import nn

class Endless(Exception):
    def __str__(self):
        while True:
            pass


def total(x):
    return x.sum(-1)


class Layer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return x * self.weight


def scale(x, a):
    raise Endless
