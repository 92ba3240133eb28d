# every level: graded, 20 points, scale passed
"""Right, whatever it writes to stderr."""

import os
import sys
import warnings

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
    warnings.warn("Could not initialize NNPACK! Reason: Unsupported hardware.")
    print("Traceback (most recent call last):\nAssertionError: FAILED", file=sys.stderr)
    os.write(2, b"[W NNPACK.cpp:64] Could not initialize NNPACK!\n\xff\xfe")
    return x * a
