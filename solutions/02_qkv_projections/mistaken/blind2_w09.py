# mistakes: proj-scaled-early, proj-key-through-query-weights
import torch
from torch import nn


def project(x, W):
    return (x.unsqueeze(-1) * W).sum(-2)


def qkv(x, W_Q, W_K, W_V):
    d_k = W_Q.shape[-1]
    queries = project(x, W_Q) / d_k ** 0.5
    keys = project(x, W_K)
    values = project(x, W_V)
    return queries, keys, values


def matrix_of(linear):
    return linear.weight.transpose(-2, -1)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        q = self.W_Q(x)
        k = self.W_Q(x)
        v = self.W_V(x)
        return q, k, v


def sinusoidal_positions(n, d_model, start=0):
    positions = torch.arange(start, start + n)
    table = torch.zeros(n, d_model)
    for c in range(d_model):
        pair = c // 2
        angle = positions.double() / 10000 ** (2 * pair / d_model)
        table[:, c] = torch.sin(angle) if c % 2 == 0 else torch.cos(angle)
    return table
