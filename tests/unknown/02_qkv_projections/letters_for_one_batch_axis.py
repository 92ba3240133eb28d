# project and so qkv only take a tensor with exactly one batch axis (einsum with fixed letters).
import math
import torch
from torch import nn


def project(x, W):
    return torch.einsum("btd,dk->btk", x, W)


def qkv(x, W_Q, W_K, W_V):
    return project(x, W_Q), project(x, W_K), project(x, W_V)


def matrix_of(linear):
    return torch.einsum("oi->io", linear.weight)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    k = torch.arange(d_model // 2)
    w = torch.exp(-2 * k * math.log(10000) / d_model)
    p = torch.arange(start, start + n)
    wp = torch.einsum("p,k->pk", p.float(), w)
    out = torch.zeros(n, d_model)
    out[:, 0::2], out[:, 1::2] = wp.sin(), wp.cos()
    return out
