# mistakes: pos-exponent-wrong
# sinusoidal_positions spreads the frequencies over d_model/2 - 1 steps, so the last reaches 10000 exactly.
import math
import torch
from torch import nn


def project(x, W):
    return torch.matmul(x, W)


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
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    position = torch.arange(start, start + n, dtype=torch.float32)
    num_timescales = d_model // 2
    log_increment = math.log(10000.0) / max(num_timescales - 1, 1)
    inv_timescales = torch.exp(torch.arange(num_timescales, dtype=torch.float32) * -log_increment)
    scaled = position[:, None] * inv_timescales[None, :]
    return torch.stack([torch.sin(scaled), torch.cos(scaled)], dim=2).view(n, d_model)
