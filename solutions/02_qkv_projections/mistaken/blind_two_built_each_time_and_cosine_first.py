# mistakes: proj-layer-built-in-forward, pos-sine-cosine-exchanged
# QKVProjection.forward makes new random layers at every call.
# sinusoidal_positions swaps sine and cosine.
import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    return project(x, W_Q), project(x, W_K), project(x, W_V)


def matrix_of(linear):
    return linear.weight.T


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.dims = (d_model, d_k, d_v)
        self.build()

    def build(self):
        d_model, d_k, d_v = self.dims
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        self.build()
        self.to(x.dtype)
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    angle = torch.arange(start, start + n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    out = torch.zeros(n, d_model)
    out[:, 1::2] = torch.sin(angle)
    out[:, ::2] = torch.cos(angle)
    return out
