# full, contained: graded, 12 points, scale failed
"""Opens, cuts and moves a file of the libraries, and makes what is no plain file."""

import os

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
    done = []
    there = os.path.join(os.path.dirname(torch.__file__), "version.py")
    ways = (
        lambda: os.truncate(there, os.path.getsize(there)),
        lambda: os.open(there, os.O_RDWR),
        lambda: os.rename(there, there),
        lambda: os.link(there, "link"),
        lambda: os.symlink(there, "link"),
        lambda: os.mkfifo("attn-escaped-pipe"),
        lambda: os.mkdir("../attn-escaped-folder"),
        lambda: os.setxattr(there, "user.attn", b"x"),
    )
    for way in ways:
        try:
            way()
            done.append(way)
        except OSError:
            pass
    return x * a if done else x
