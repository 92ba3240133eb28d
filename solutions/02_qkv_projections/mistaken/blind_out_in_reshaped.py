# mistakes: proj-weight-reshaped-not-transposed
# matrix_of reshapes the weight to (in, out) instead of transposing it.
import numpy as np
import torch
from torch import nn


def project(x, W):
    return torch.einsum("...i,ij->...j", x, W)


def qkv(x, W_Q, W_K, W_V):
    Q = torch.einsum("...i,ij->...j", x, W_Q)
    K = torch.einsum("...i,ij->...j", x, W_K)
    V = torch.einsum("...i,ij->...j", x, W_V)
    return Q, K, V


def matrix_of(linear):
    out_dim, in_dim = linear.weight.shape
    return linear.weight.reshape(in_dim, out_dim)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        for name, size in [("W_Q", d_k), ("W_K", d_k), ("W_V", d_v)]:
            setattr(self, name, nn.Linear(d_model, size, bias=False))

    def forward(self, x):
        return [layer(x) for layer in (self.W_Q, self.W_K, self.W_V)]


def sinusoidal_positions(n, d_model, start=0):
    pos = np.arange(start, start + n)[:, np.newaxis]
    col = np.arange(d_model)[np.newaxis, :]
    angle = pos / np.power(10000.0, 2 * (col // 2) / d_model)
    out = np.where(col % 2 == 0, np.sin(angle), np.cos(angle))
    return torch.tensor(out, dtype=torch.float32)
