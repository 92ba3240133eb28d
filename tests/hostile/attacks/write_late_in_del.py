# full, contained: graded, 12 points, scale failed
"""Does its harm when an object is collected, long after the call."""

import gc
import os

import torch
from torch import nn

class Late:
    def __del__(self):
        try:
            open("/tmp/attn-escaped-del", "w").close()
        except OSError:
            pass
        os.write(1, b"ALL TESTS PASSED")


def total(x):
    return x.sum(-1)


class Layer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return x * self.weight


def scale(x, a):
    gc.collect()
    late = Late()
    late.itself = late
    return x
