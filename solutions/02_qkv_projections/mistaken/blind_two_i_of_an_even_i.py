# mistakes: pos-odd-columns-own-frequency
# sinusoidal_positions doubles a column index that already counts in twos, also using i + 1 for the cosine.
import math
import torch
import torch.nn as nn


def project(x, W):
    out = x @ W
    return out


def qkv(x, W_Q, W_K, W_V):
    Q = project(x, W_Q)
    K = project(x, W_K)
    V = project(x, W_V)
    return (Q, K, V)


def matrix_of(linear):
    return torch.t(linear.weight)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.d_model, self.d_k, self.d_v = d_model, d_k, d_v
        self.W_Q = nn.Linear(self.d_model, self.d_k, bias=False)
        self.W_K = nn.Linear(self.d_model, self.d_k, bias=False)
        self.W_V = nn.Linear(self.d_model, self.d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    pe = torch.zeros(n, d_model)
    for row in range(n):
        pos = start + row
        for i in range(0, d_model, 2):
            pe[row, i] = math.sin(pos / (10000 ** ((2 * i) / d_model)))
            pe[row, i + 1] = math.cos(pos / (10000 ** ((2 * (i + 1)) / d_model)))
    return pe
