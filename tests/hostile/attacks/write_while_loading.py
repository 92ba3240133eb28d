# full, contained: graded, 12 points, scale failed
"""Writes files where it should write none, while it is loaded."""

import os

import torch
from torch import nn

DONE = []


def act():
    for place in ("/tmp", "/var/tmp", "/dev/shm", os.path.dirname(torch.__file__)):
        try:
            open(f"{place}/attn-escaped-write", "w").close()
            DONE.append(place)
        except OSError:
            pass


act()


def total(x):
    return x.sum(-1)


class Layer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return x * self.weight


def scale(x, a):
    return x * a if DONE else x
