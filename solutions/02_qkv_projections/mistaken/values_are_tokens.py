# mistakes: proj-value-not-projected
import torch
import torch.nn.functional as F
from torch import nn


def project(x, W):
    # (..., T, d_in) x (d_in, d_out)
    out = torch.matmul(x, W)
    return out


def qkv(x, W_Q, W_K, W_V):
    qk = x @ torch.cat((W_Q, W_K), dim=-1)
    q, k = qk.chunk(2, dim=-1)
    return q, k, x.clone()


def matrix_of(linear):
    return linear.weight.T


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        for name, width in [("W_Q", d_k), ("W_K", d_k), ("W_V", d_v)]:
            layer = nn.Linear(in_features=d_model, out_features=width, bias=False)
            nn.init.xavier_uniform_(layer.weight)
            self.add_module(name, layer)

    def forward(self, x):
        return tuple(F.linear(x, layer.weight) for layer in (self.W_Q, self.W_K, self.W_V))


def sinusoidal_positions(n, d_model, start=0, base=10000.0):
    column = torch.arange(d_model)
    pair = torch.div(column, 2, rounding_mode="floor")
    angle = torch.arange(start, start + n)[:, None] / base ** (2 * pair / d_model)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())
