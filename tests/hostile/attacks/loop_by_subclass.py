# every level: graded, 12 points, scale timeout
"""Never returns, when a tensor of its own class is used."""

import torch
from torch import nn


def act():
    while True:
        pass


class Mine(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        act()
        return super().__torch_function__(function, types, args, kwargs or {})


def total(x):
    return x.sum(-1)


class Layer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return x * self.weight


def scale(x, a):
    mine = x.as_subclass(Mine) + 0
    return mine
