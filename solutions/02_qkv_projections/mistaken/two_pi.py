# mistakes: pos-angle-unit
import math

import torch
from torch import nn


def project(x, W):
    *lead, d_in = x.shape
    d_out = W.size(1)
    y = torch.mm(x.contiguous().view(-1, d_in), W)
    return y.view(*lead, d_out)


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
    t = torch.arange(start, start + n).float()
    f = 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    phase = 2 * math.pi * t[:, None] * f
    return torch.stack([phase.sin(), phase.cos()], dim=-1).view(n, d_model)
