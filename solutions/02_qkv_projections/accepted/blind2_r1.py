# accepted: in its own way
import torch
from torch import nn


def project(x, W):
    return torch.einsum("...i,ij->...j", x, W)


def qkv(x, W_Q, W_K, W_V):
    widths = [m.shape[-1] for m in (W_Q, W_K, W_V)]
    return project(x, torch.cat((W_Q, W_K, W_V), dim=-1)).split(widths, dim=-1)


def matrix_of(linear):
    return torch.einsum("ij->ji", linear.weight)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return qkv(x, *(matrix_of(layer) for layer in self.children()))


def sinusoidal_positions(n, d_model, start=0):
    p = torch.arange(start, start + n, dtype=torch.float64)
    f = torch.logspace(0, -4 * (d_model - 2) / d_model, d_model // 2, dtype=torch.float64)
    hands = torch.polar(torch.ones(n, d_model // 2, dtype=torch.float64), torch.outer(p, f))
    return torch.view_as_real(hands).flip(-1).flatten(1).float()
