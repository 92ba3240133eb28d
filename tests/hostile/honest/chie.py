import torch
from torch import nn


def scale(x, a):
    return torch.stack([number * a[0] for number in x])


def total(x):
    return torch.stack([row.sum() for row in x])


class Layer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return x * self.weight
