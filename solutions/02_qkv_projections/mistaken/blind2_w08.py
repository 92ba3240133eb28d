# mistakes: pos-sine-cosine-exchanged, pos-base-wrong
import math
import torch
from torch import nn


def project(x, W):
    *leading, T, d_in = x.shape
    d_out = W.shape[1]
    n = T
    for size in leading:
        n = n * size
    return torch.mm(x.reshape(n, d_in), W).reshape(*leading, T, d_out)


def qkv(x, W_Q, W_K, W_V):
    return tuple(map(lambda M: project(x, M), [W_Q, W_K, W_V]))


def matrix_of(linear):
    return linear.weight.swapaxes(0, 1)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q.forward(x), self.W_K.forward(x), self.W_V.forward(x)


def sinusoidal_positions(n, d_model, start=0):
    wave = torch.exp(torch.arange(0, d_model, 2) * (-math.log(1000.0) / d_model))
    where = torch.arange(start, n + start).reshape(n, 1)
    pe = torch.empty(n, d_model)
    pe[:, 1::2] = torch.sin(where * wave)
    pe[:, 0::2] = torch.cos(where * wave)
    return pe
