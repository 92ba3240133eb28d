# mistakes: proj-value-through-key-weights, kv-cache-positions-restart
import torch
import torch.nn.functional as F
from torch import nn


def project(x, W):
    # (..., T, d_in) x (d_in, d_out)
    out = torch.matmul(x, W)
    return out


def qkv(x, W_Q, W_K, W_V):
    Q = x @ W_Q
    K = x @ W_K
    V = x @ W_K
    return Q, K, V


def matrix_of(linear):
    W = linear.weight.transpose(0, 1)
    return W.clone()


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        for name, width in [("W_Q", d_k), ("W_K", d_k), ("W_V", d_v)]:
            layer = nn.Linear(in_features=d_model, out_features=width, bias=False)
            nn.init.xavier_uniform_(layer.weight)
            self.add_module(name, layer)

    def forward(self, x):
        return tuple(F.linear(x, layer.weight) for layer in (self.W_Q, self.W_K, self.W_V))


def sinusoidal_positions(n, d_model, start=0):
    position = torch.arange(n)[:, None]
    i2 = torch.arange(0, d_model, 2)
    angle = position * 10000.0 ** (-i2 / d_model)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).reshape(n, d_model)
