# every level: graded, 12 points, scale failed
"""Raises SystemExit(0) in the middle of a call."""

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
    sys.exit(0)
