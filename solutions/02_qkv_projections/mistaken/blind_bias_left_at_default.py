# mistakes: proj-layer-has-bias
# QKVProjection's layers have a bias.
import math
import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    return project(x, W_Q), project(x, W_K), project(x, W_V)


def matrix_of(linear):
    W = linear.weight
    return W.transpose(-1, -2)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_v)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    out = torch.zeros((n, d_model))
    for k in range(d_model // 2):
        f = math.pow(10000, 2 * k / d_model)
        p = torch.arange(start, start + n) / f
        out[:, 2 * k] = torch.sin(p)
        out[:, 2 * k + 1] = torch.cos(p)
    return out
