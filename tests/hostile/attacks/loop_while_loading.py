# every level: timeout, 0 points
"""Never finishes loading."""

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


while True:
    pass


def scale(x, a):
    return x * a
