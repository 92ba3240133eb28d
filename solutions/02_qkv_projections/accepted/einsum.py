# accepted: einsum everywhere
import torch
from torch import nn


def project(x, W):
    return torch.einsum("...i,io->...o", x, W)


def qkv(x, W_Q, W_K, W_V):
    query = torch.einsum("...td,dk->...tk", x, W_Q)
    key = torch.einsum("...td,dk->...tk", x, W_K)
    value = torch.einsum("...td,dv->...tv", x, W_V)
    return query, key, value


def matrix_of(linear):
    return torch.einsum("oi->io", linear.weight)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def project(self, layer, x):
        return torch.einsum("...i,oi->...o", x, layer.weight)

    def forward(self, x):
        return self.project(self.W_Q, x), self.project(self.W_K, x), self.project(self.W_V, x)


def sinusoidal_positions(n, d_model, start=0):
    freqs = 1.0 / (10000 ** (torch.arange(0, d_model, 2).float() / d_model))
    t = torch.arange(n).float() + start
    angles = torch.einsum("i,j->ij", t, freqs).repeat_interleave(2, dim=-1)
    even = torch.arange(d_model) % 2 == 0
    return angles.sin() * even + angles.cos() * ~even
