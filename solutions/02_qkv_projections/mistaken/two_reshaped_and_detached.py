# mistakes: proj-weight-reshaped-not-transposed, autograd-cut
import math

import torch
from torch import nn


def project(x: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    assert x.shape[-1] == W.shape[0], (x.shape, W.shape)
    return x.matmul(W)


def qkv(x, W_Q, W_K, W_V):
    Q = project(x, W_Q)
    K = project(x, W_K)
    V = project(x, W_V)
    return Q, K, V


def matrix_of(linear):
    numbers = linear.weight.detach().flatten()
    return numbers.reshape(linear.in_features, -1)


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
