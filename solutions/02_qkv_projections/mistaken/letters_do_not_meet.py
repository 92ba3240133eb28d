# mistakes: einsum-independent-sum
import torch
from torch import nn


def project(x, W):
    return torch.einsum("...d,ko->...o", x, W)


def qkv(x, W_Q, W_K, W_V):
    Q = project(x, W_Q)
    K = project(x, W_K)
    V = project(x, W_V)
    return Q, K, V


def matrix_of(linear):
    weight = dict(linear.named_parameters())["weight"]
    return weight.permute(1, 0)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0, base=10000.0):
    column = torch.arange(d_model)
    pair = torch.div(column, 2, rounding_mode="floor")
    angle = torch.arange(start, start + n)[:, None] / base ** (2 * pair / d_model)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())
