# accepted: one leading axis peeled off per call
import math

import torch
from torch import nn


def project(x, W):
    if x.dim() == 2:
        return torch.mm(x, W)
    if x.shape[0] == 0:
        return torch.zeros(x.shape[:-1] + W.shape[1:], dtype=x.dtype, device=x.device)
    return torch.stack([project(sample, W) for sample in x])


def qkv(x, *matrices):
    return tuple(map(lambda W: project(x, W), matrices))


def matrix_of(linear):
    weight = dict(linear.named_parameters())["weight"]
    return weight.permute(1, 0)


class QKVProjection(nn.Module):
    NAMES = ("W_Q", "W_K", "W_V")

    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        for name, d_out in zip(self.NAMES, (d_k, d_k, d_v)):
            setattr(self, name, nn.Linear(d_model, d_out, bias=False))

    def forward(self, x):
        results = []
        for name in self.NAMES:
            results.append(getattr(self, name)(x))
        return results


def sinusoidal_positions(n, d_model, start=0):
    def angle(p, j):
        return p / 10000 ** ((j - j % 2) / d_model)

    rows = [[(math.cos if j % 2 else math.sin)(angle(p, j)) for j in range(d_model)] for p in range(start, start + n)]
    return torch.tensor(rows, dtype=torch.float32)
