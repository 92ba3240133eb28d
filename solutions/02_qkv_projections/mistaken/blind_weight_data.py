# mistakes: proj-weight-detached
# QKVProjection.forward uses weight.data, so its parameters get no gradient.
import numpy as np
import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    return project(x, W_Q), project(x, W_K), project(x, W_V)


def matrix_of(linear):
    return linear.weight.T


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        weights = [layer.weight.data.T for layer in (self.W_Q, self.W_K, self.W_V)]
        return qkv(x, *weights)


def sinusoidal_positions(n, d_model, start=0):
    encoding = np.zeros((n, d_model), dtype=np.float32)
    for pos in range(n):
        for i in range(d_model // 2):
            angle = (start + pos) / 10000 ** (2 * i / d_model)
            encoding[pos, 2 * i] = np.sin(angle)
            encoding[pos, 2 * i + 1] = np.cos(angle)
    return torch.from_numpy(encoding)
