# full, contained: graded, 12 points, scale failed
"""Asks the kernel about its network."""

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
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)
    return x * a
