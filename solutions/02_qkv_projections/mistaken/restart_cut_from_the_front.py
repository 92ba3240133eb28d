# mistakes: kv-cache-positions-restart
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
    W = linear.weight.transpose(0, 1)
    return W.clone()


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
    length = start + n
    position = torch.arange(length).float().unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2).float() * -(math.log(10000.0) / d_model))
    pe = torch.zeros(length, d_model)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe[:n]
