# mistakes: pos-exponent-wrong
import math

import torch
from torch import nn


def project(x, W):
    return torch.einsum("...i,io->...o", x, W)


def qkv(x, W_Q, W_K, W_V):
    Q = project(x, W_Q)
    K = project(x, W_K)
    V = project(x, W_V)
    return Q, K, V


def matrix_of(linear):
    return linear.weight.T


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super(QKVProjection, self).__init__()
        self.d_k = d_k
        self.d_v = d_v
        self.W_V = nn.Linear(d_model, d_v, False)
        self.W_K = nn.Linear(d_model, d_k, False)
        self.W_Q = nn.Linear(d_model, d_k, False)

    def forward(self, x):
        q = self.W_Q(x)
        k = self.W_K(x)
        v = self.W_V(x)
        return [q, k, v]


def sinusoidal_positions(n, d_model, start=0):
    pe = torch.zeros(n, d_model)
    for pos in range(n):
        for i in range(0, d_model, 2):
            angle = (pos + start) / 10000 ** (2 * i / d_model)
            pe[pos, i] = math.sin(angle)
            pe[pos, i + 1] = math.cos(angle)
    return pe
