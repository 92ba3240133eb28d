# full, contained: graded, 12 points, scale failed
"""Starts threads without end."""

import threading
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
    threading.stack_size(32768)
    while True:
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
