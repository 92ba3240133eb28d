# mistakes: pos-exponent-wrong, pos-counted-from-one
import math

import torch
import torch.nn.functional as F
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    out = {}
    for name, W in zip("QKV", [W_Q, W_K, W_V]):
        out[name] = project(x, W)
    return out["Q"], out["K"], out["V"]


def matrix_of(linear):
    W = linear.weight.transpose(0, 1)
    return W.clone()


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
    table = torch.zeros(n, d_model)
    for row in range(n):
        position = start + row + 1
        for col in range(0, d_model, 2):
            table[row, col] = math.sin(position / 10000 ** (2 * col / d_model))
            table[row, col + 1] = math.cos(position / 10000 ** (2 * col / d_model))
    return table
