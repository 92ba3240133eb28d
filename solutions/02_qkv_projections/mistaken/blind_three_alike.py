# mistakes: proj-layer-width-wrong
# QKVProjection gives the values d_k features and ignores d_v.
import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    return x @ W_Q, x @ W_K, x @ W_V


def matrix_of(linear):
    return linear.weight.t()


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q, self.W_K, self.W_V = [nn.Linear(d_model, d_k, bias=False) for _ in range(3)]

    def forward(self, x):
        queries = self.W_Q(x)
        keys = self.W_K(x)
        values = self.W_V(x)
        return queries, keys, values


def sinusoidal_positions(n, d_model, start=0):
    exponent = torch.arange(0, d_model, 2, dtype=torch.float64) / d_model
    angle = torch.arange(start, start + n, dtype=torch.float64)[:, None] * 10000.0 ** -exponent
    return torch.stack((torch.sin(angle), torch.cos(angle)), 2).reshape(n, d_model).float()
