# may lose: a_view_with_gaps_is_like_any_other
import math

import torch
from torch import nn


def project(x, W):
    return (x.view(-1, x.shape[-1]) @ W).view(*x.shape[:-1], W.shape[1])


def qkv(x, W_Q, W_K, W_V):
    return x @ W_Q, x @ W_K, x @ W_V


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
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    def angle(p, j):
        return p / 10000 ** ((j - j % 2) / d_model)

    rows = [[(math.cos if j % 2 else math.sin)(angle(p, j)) for j in range(d_model)] for p in range(start, start + n)]
    return torch.tensor(rows, dtype=torch.float32)
