# mistakes: pos-halves-not-interleaved
import math

import torch
from torch import nn


def project(x, W):
    *lead, d_in = x.shape
    d_out = W.size(1)
    y = torch.mm(x.contiguous().view(-1, d_in), W)
    return y.view(*lead, d_out)


def qkv(x, W_Q, W_K, W_V):
    return [project(x, W) for W in (W_Q, W_K, W_V)]


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
    half = d_model // 2
    freqs = torch.exp(-math.log(10000) * torch.arange(half).float() / half)
    args = torch.arange(start, start + n).float()[:, None] * freqs[None]
    return torch.cat([args.sin(), args.cos()], dim=1)
