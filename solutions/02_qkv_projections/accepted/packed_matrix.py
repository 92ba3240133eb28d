# accepted: one wide matrix, split by widths
import math

import torch
import torch.nn.functional as F
from torch import nn


def project(x, W):
    # (..., T, d_in) x (d_in, d_out)
    out = torch.matmul(x, W)
    return out


def qkv(x, W_Q, W_K, W_V):
    widths = [W_Q.shape[1], W_K.shape[1], W_V.shape[1]]
    packed = project(x, torch.cat([W_Q, W_K, W_V], dim=1))
    return torch.split(packed, widths, dim=-1)


def matrix_of(linear):
    return linear.weight.T


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


def sinusoidal_positions(n, d_model, start=0):
    pe = torch.zeros(n, d_model)
    position = torch.arange(start, start + n).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe
