# mistakes: proj-matrix-transposed, proj-weight-not-transposed
# project multiplies with the transposed W as nn.Linear does.
# matrix_of returns the weight untransposed.
import torch
import torch.nn.functional as F
from torch import nn


def project(x, W):
    return F.linear(x, W)


def qkv(x, W_Q, W_K, W_V):
    return x @ W_Q, x @ W_K, x @ W_V


def matrix_of(linear):
    return linear.weight


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return F.linear(x, self.W_Q.weight), F.linear(x, self.W_K.weight), F.linear(x, self.W_V.weight)


def sinusoidal_positions(n, d_model, start=0):
    pe = torch.zeros(n, d_model)
    pos = torch.arange(start, start + n, dtype=torch.float32).view(-1, 1)
    two_i = torch.arange(0, d_model, step=2).float()
    pe[:, 0::2] = torch.sin(pos / (10000 ** (two_i / d_model)))
    pe[:, 1::2] = torch.cos(pos / (10000 ** (two_i / d_model)))
    return pe
