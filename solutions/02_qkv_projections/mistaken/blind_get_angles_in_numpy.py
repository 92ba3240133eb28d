# mistakes: pos-float64-result
# sinusoidal_positions returns float64.
import numpy as np
import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    return x @ W_Q, x @ W_K, x @ W_V


def matrix_of(linear):
    return linear.weight.T


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def get_angles(pos, i, d_model):
    return pos / np.power(10000, (2 * (i // 2)) / d_model)


def sinusoidal_positions(n, d_model, start=0):
    angles = get_angles(np.arange(start, start + n)[:, None], np.arange(d_model)[None, :], d_model)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return torch.from_numpy(angles)
