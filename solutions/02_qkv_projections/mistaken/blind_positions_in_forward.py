# mistakes: proj-positions-added-inside
# QKVProjection.forward adds sinusoidal positions to x before projecting.
import math
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
        # attention does not know the order, so put it in first
        d_even = x.shape[-1] + x.shape[-1] % 2
        pe = sinusoidal_positions(x.shape[-2], d_even)[:, : x.shape[-1]]
        x = x + pe.to(x)
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    pe = torch.zeros(n, d_model)
    pos = torch.arange(start, start + n).unsqueeze(1)
    div = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(pos * div)
    pe[:, 1::2] = torch.cos(pos * div)
    return pe
