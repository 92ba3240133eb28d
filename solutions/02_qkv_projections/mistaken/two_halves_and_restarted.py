# mistakes: pos-halves-not-interleaved, kv-cache-positions-restart
import torch
from torch import nn


def project(x, W):
    return torch.einsum("...i,io->...o", x, W)


def qkv(x, W_Q, W_K, W_V):
    out = {}
    for name, W in zip("QKV", [W_Q, W_K, W_V]):
        out[name] = project(x, W)
    return out["Q"], out["K"], out["V"]


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
    inv_freq = 1 / 10000 ** (torch.arange(0, d_model, 2).float() / d_model)
    t = torch.outer(torch.arange(n).float(), inv_freq)
    return torch.hstack([torch.sin(t), torch.cos(t)])
