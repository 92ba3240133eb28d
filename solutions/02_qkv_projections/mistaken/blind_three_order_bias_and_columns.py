# mistakes: proj-unpack-order-swapped, proj-layer-has-bias, pos-odd-columns-own-frequency
# qkv returns the keys first.
# QKVProjection's layers have a bias.
# sinusoidal_positions uses every column's own index instead of its pair's.
import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    keys = project(x, W_K)
    queries = project(x, W_Q)
    values = project(x, W_V)
    return keys, queries, values


def matrix_of(linear):
    return linear.weight.T


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_v)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    col = torch.arange(d_model)
    angles = torch.arange(start, start + n).unsqueeze(1) / 10000 ** (col / d_model)
    pe = torch.empty(n, d_model)
    pe[:, 0::2] = torch.sin(angles[:, 0::2])
    pe[:, 1::2] = torch.cos(angles[:, 1::2])
    return pe
