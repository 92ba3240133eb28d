import torch
from torch import nn


def project(x, W):
    return torch.matmul(x, W)


def qkv(x, W_Q, W_K, W_V):
    q = project(x, W_Q)
    k = project(x, W_K)
    v = project(x, W_K)
    return q, k, v


def matrix_of(linear):
    return linear.weight.T


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        q = self.W_Q(x)
        k = self.W_K(x)
        v = self.W_V(x)
        return q, k, v


def sinusoidal_positions(n, d_model, start=0):
    p = torch.arange(n, dtype=torch.float32) + start
    i = torch.arange(d_model, dtype=torch.float32)
    angle = p[:, None] / 10000 ** (2 * torch.floor(i / 2) / d_model)[None, :]
    return torch.where(i % 2 == 0, torch.sin(angle), torch.cos(angle))
