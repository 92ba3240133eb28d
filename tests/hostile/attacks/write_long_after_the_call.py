# full, contained: graded, 12 points, scale failed
"""Leaves a thread that goes on after the call has returned."""

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
    def later():
        while True:
            try:
                open("/tmp/attn-escaped-thread", "w")
            except OSError:
                time.sleep(0.01)
    threading.Thread(target=later, daemon=True).start()
    return x
