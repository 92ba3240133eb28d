# mistakes: proj-linear-arguments-swapped
import numpy as np
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
    return linear.weight.T


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        # weight is (out, in)
        make = lambda out: nn.Linear(out, d_model, bias=False)
        self.W_Q = make(d_k)
        self.W_K = make(d_k)
        self.W_V = make(d_v)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    pos = np.arange(start, start + n)[:, np.newaxis]
    j = np.arange(d_model)[np.newaxis, :]
    angles = pos / np.power(10000, 2 * (j // 2) / d_model)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return torch.from_numpy(angles).float()
