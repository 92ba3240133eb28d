# mistakes: proj-squeezes-single-axes
# project squeezes its result, so axes of size 1 disappear.
import torch
from torch import nn


def project(x, W):
    # (..., T, 1, d_in) x (d_in, d_out) -> (..., T, 1, d_out)
    return (x.unsqueeze(-2) @ W).squeeze()


def qkv(x, W_Q, W_K, W_V):
    return torch.matmul(x, W_Q), torch.matmul(x, W_K), torch.matmul(x, W_V)


def matrix_of(linear):
    return linear.weight.swapaxes(0, 1)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    pos = (torch.arange(n) + start).unsqueeze(-1)
    denom = torch.pow(10000, torch.arange(0, d_model, 2) / d_model)
    pe = torch.zeros(n, d_model)
    pe[:, 0::2] = torch.sin(pos / denom)
    pe[:, 1::2] = torch.cos(pos / denom)
    return pe
