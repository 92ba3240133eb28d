# every level: graded, 12 points, scale timeout
"""Never returns: whoever asks its result for an attribute waits for ever."""

import torch
from torch import nn

class Endless:
    def __getattr__(self, name):
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
    return torch.add(x, Endless().number)
