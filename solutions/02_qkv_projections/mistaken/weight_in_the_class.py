# mistakes: proj-weight-not-transposed
import numpy as np
import torch
from torch import nn


def project(x, W):
    return torch.einsum("...i,io->...o", x, W)


def qkv(x, *matrices):
    return tuple(map(lambda W: project(x, W), matrices))


def matrix_of(linear):
    weight = dict(linear.named_parameters())["weight"]
    return weight.permute(1, 0)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return tuple(torch.matmul(x, layer.weight) for layer in (self.W_Q, self.W_K, self.W_V))


def sinusoidal_positions(n, d_model, start=0):
    pos = np.arange(start, start + n)[:, np.newaxis]
    j = np.arange(d_model)[np.newaxis, :]
    angles = pos / np.power(10000, 2 * (j // 2) / d_model)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return torch.from_numpy(angles).float()
