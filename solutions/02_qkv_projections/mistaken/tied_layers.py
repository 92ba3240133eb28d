# mistakes: proj-key-through-query-weights
import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    return [project(x, W) for W in (W_Q, W_K, W_V)]


def matrix_of(linear):
    W = linear.weight.transpose(0, 1)
    return W.clone()


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        shared = nn.Linear(d_model, d_k, bias=False)
        self.W_Q = shared
        self.W_K = shared
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    pos = start + torch.arange(n, dtype=torch.float32)
    i = torch.arange(d_model // 2, dtype=torch.float32)
    angle = torch.outer(pos, 10000 ** (-2 * i / d_model))
    return torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(n, d_model)
