# mistakes: proj-matrix-transposed
import math

import torch
from torch import nn


def project(x, W):
    return torch.einsum("...i,oi->...o", x, W)


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
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    pe = torch.zeros(n, d_model)
    position = torch.arange(start, start + n).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe
