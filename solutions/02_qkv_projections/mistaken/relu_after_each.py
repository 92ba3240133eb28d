# mistakes: proj-activation-on-qkv
import torch
from torch import nn


def project(x, W):
    h = torch.einsum("...i,io->...o", x, W)
    return h.clamp(min=0)


def qkv(x, W_Q, W_K, W_V):
    out = {}
    for name, W in zip("QKV", [W_Q, W_K, W_V]):
        out[name] = project(x, W)
    return out["Q"], out["K"], out["V"]


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
