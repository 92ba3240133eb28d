# mistakes: pos-parity-of-position
# sinusoidal_positions uses sine for even positions and cosine for odd positions, not columns.
import torch
from torch import nn


def project(x, W):
    return torch.tensordot(x, W, dims=1)


def qkv(x, W_Q, W_K, W_V):
    return project(x, W_Q), project(x, W_K), project(x, W_V)


def matrix_of(linear):
    return linear.weight.permute(1, 0)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        nn.Module.__init__(self)
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        q, k, v = map(lambda f: f(x), (self.W_Q, self.W_K, self.W_V))
        return q, k, v


def sinusoidal_positions(n, d_model, start=0):
    positions = torch.arange(start, start + n, dtype=torch.float32).reshape(-1, 1)
    columns = torch.arange(d_model)
    angle = positions / 10000 ** (2 * (columns // 2) / d_model)
    table = torch.zeros(n, d_model)
    even = positions.squeeze(1) % 2 == 0
    table[even] = torch.sin(angle[even])
    table[~even] = torch.cos(angle[~even])
    return table
