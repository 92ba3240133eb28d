# accepted: one wide matrix, cut by slices and made contiguous
import torch
import torch.nn.functional as F
from torch import nn


def project(x: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    assert x.shape[-1] == W.shape[0], (x.shape, W.shape)
    return x.matmul(W)


def qkv(x, W_Q, W_K, W_V):
    d_k = W_Q.shape[-1]
    everything = x @ torch.hstack((W_Q, W_K, W_V))
    q = everything[..., :d_k]
    k = everything[..., d_k : 2 * d_k]
    v = everything[..., 2 * d_k :]
    return q.contiguous(), k.contiguous(), v.contiguous()


def matrix_of(linear):
    return linear.weight.t().contiguous()


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.widths = (d_k, d_k, d_v)
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        # one product instead of three
        weight = torch.cat([self.W_Q.weight, self.W_K.weight, self.W_V.weight])
        return F.linear(x, weight).split(self.widths, dim=-1)


def sinusoidal_positions(n, d_model, start=0, base=10000.0):
    column = torch.arange(d_model)
    pair = torch.div(column, 2, rounding_mode="floor")
    angle = torch.arange(start, start + n)[:, None] / base ** (2 * pair / d_model)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())
