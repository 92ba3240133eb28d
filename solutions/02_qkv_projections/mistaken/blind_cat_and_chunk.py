# mistakes: proj-chunks-of-equal-width
# qkv joins the three matrices and cuts the product in three equal chunks, wrong where d_v differs from d_k.
import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    W = torch.cat((W_Q, W_K, W_V), dim=-1)
    return project(x, W).chunk(3, dim=-1)


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
    idx = torch.arange(d_model)
    rate = 1 / 10000 ** ((idx - idx % 2) / d_model)
    angle = torch.arange(start, start + n)[:, None] * rate
    return torch.where(idx % 2 == 0, torch.sin(angle), torch.cos(angle))
