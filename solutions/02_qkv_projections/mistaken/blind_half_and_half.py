# mistakes: pos-halves-not-interleaved
# sinusoidal_positions puts all sines in the first half and all cosines in the second.
import torch
from torch import nn


def project(x, W):
    return nn.functional.linear(x, W.T)


def qkv(x, W_Q, W_K, W_V):
    return [project(x, w) for w in [W_Q, W_K, W_V]]


def matrix_of(linear):
    return linear.weight.transpose(0, 1)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, False)
        self.W_K = nn.Linear(d_model, d_k, False)
        self.W_V = nn.Linear(d_model, d_v, False)

    def forward(self, x):
        return qkv(x, matrix_of(self.W_Q), matrix_of(self.W_K), matrix_of(self.W_V))


def sinusoidal_positions(n, d_model, start=0):
    half = d_model // 2
    inv_freq = 1.0 / (10000 ** (torch.arange(half).float() / half))
    t = torch.arange(start, start + n).float()
    sinusoid = torch.outer(t, inv_freq)
    return torch.cat([sinusoid.sin(), sinusoid.cos()], dim=-1)
