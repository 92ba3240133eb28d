import torch
from torch import nn


def scale(x, a):
    return torch.tensor([float(number) * float(a) for number in x])


def total(x):
    return x.sum(-1)


class Layer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return x * self.weight
