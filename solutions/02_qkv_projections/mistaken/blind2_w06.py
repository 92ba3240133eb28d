# mistakes: pos-halves-not-interleaved
import torch
from torch import nn


def project(x, W):
    return torch.tensordot(x, W, dims=([-1], [0]))


def qkv(x, W_Q, W_K, W_V):
    return project(x, W_Q), project(x, W_K), project(x, W_V)


def matrix_of(linear):
    wanted = (linear.in_features, linear.out_features)
    W = linear.weight
    if tuple(W.shape) != wanted:
        W = W.transpose(0, 1)
    return W


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(in_features=d_model, out_features=d_k, bias=False)
        self.W_K = nn.Linear(in_features=d_model, out_features=d_k, bias=False)
        self.W_V = nn.Linear(in_features=d_model, out_features=d_v, bias=False)

    def forward(self, x):
        return (self.W_Q(x), self.W_K(x), self.W_V(x))


def sinusoidal_positions(n, d_model, start=0):
    pos = torch.arange(start, start + n, dtype=torch.float32)[:, None]
    div = 10000.0 ** (torch.arange(0, d_model, 2, dtype=torch.float32) / d_model)
    ang = pos / div
    return torch.cat([torch.sin(ang), torch.cos(ang)], dim=1)
