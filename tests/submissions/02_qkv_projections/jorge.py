import torch
from torch import nn


def project(x, W):
    return torch.einsum("...d,de->...e", x, W)


def qkv(x, W_Q, W_K, W_V):
    return project(x, W_Q), project(x, W_K), project(x, W_V)


def matrix_of(linear):
    W, = [p for name, p in linear.named_parameters() if name == "weight"]
    return W


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    t = torch.arange(start, start + n, dtype=torch.float32).reshape(n, 1)
    w = 1.0 / 10000.0 ** (torch.arange(0, d_model, 2, dtype=torch.float32) / d_model)
    senos, cosenos = torch.sin(t * w), torch.cos(t * w)
    return torch.hstack((senos, cosenos))
