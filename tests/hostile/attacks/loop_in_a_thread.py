# every level: graded, 12 points, scale timeout
"""Never returns, in a thread."""

import threading

import torch
from torch import nn


def act():
    while True:
        pass


def total(x):
    return x.sum(-1)


class Layer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return x * self.weight


def scale(x, a):
    thread = threading.Thread(target=act, daemon=True)
    thread.start()
    thread.join()
    return x
