import torch
from torch import nn


def scale(x, a):
    return torch.mul(x, a)


def total(x):
    return torch.einsum('...n->...', x)


class Layer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return x * self.weight
