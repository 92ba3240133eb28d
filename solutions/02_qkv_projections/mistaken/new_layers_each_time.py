# mistakes: proj-layer-built-in-forward
import math

import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    return [project(x, W) for W in (W_Q, W_K, W_V)]


def matrix_of(linear):
    weight = dict(linear.named_parameters())["weight"]
    return weight.permute(1, 0)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.d_model = d_model
        self.widths = [d_k, d_k, d_v]

    def forward(self, x):
        return tuple(nn.Linear(self.d_model, width, bias=False)(x) for width in self.widths)


def sinusoidal_positions(n, d_model, start=0):
    pe = torch.zeros(n, d_model)
    position = torch.arange(start, start + n).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe
