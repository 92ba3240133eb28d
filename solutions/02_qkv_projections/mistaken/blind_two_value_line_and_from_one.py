# mistakes: proj-value-through-key-weights, pos-counted-from-one
# qkv projects the values with W_K.
# sinusoidal_positions starts counting at 1.
import math
import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    query = project(x, W_Q)
    key = project(x, W_K)
    value = project(x, W_K)
    return query, key, value


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
    def angle(pos, k):
        return pos / 10000 ** (2 * k / d_model)

    table = [[f(angle(pos, k)) for k in range(d_model // 2) for f in (math.sin, math.cos)]
             for pos in range(start + 1, start + n + 1)]
    return torch.tensor(table)
