# mistakes: pos-n-taken-as-end
import torch
import torch.nn.functional as F
from torch import nn


def project(x: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    assert x.shape[-1] == W.shape[0], (x.shape, W.shape)
    return x.matmul(W)


def qkv(x, W_Q, W_K, W_V):
    return [project(x, W) for W in (W_Q, W_K, W_V)]


def matrix_of(linear):
    return linear.weight.t().contiguous()


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
    pos = torch.arange(start, n).float()
    i = torch.arange(d_model // 2).float()
    angle = pos.unsqueeze(1) / 10000 ** (2 * i / d_model)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)
