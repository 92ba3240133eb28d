# every level: graded, 12 points, scale crashed|out-of-memory
"""Takes memory without end, by ctypes."""

import ctypes

import torch
from torch import nn


def act():
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    while True:
        ctypes.memset(libc.malloc(ctypes.c_size_t(50 << 20)), 1, 50 << 20)  # in the end, at address 0


def total(x):
    return x.sum(-1)


class Layer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return x * self.weight


def scale(x, a):
    act()
    return x
