# mistakes: proj-weight-not-transposed, proj-linear-arguments-swapped, pos-frequency-inverted
# QKVProjection makes its layers with in and out exchanged and multiplies by the weight itself.
# sinusoidal_positions multiplies by 10000^(2i/d) instead of dividing.
import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    return project(x, W_Q), project(x, W_K), project(x, W_V)


def matrix_of(linear):
    return linear.weight.T


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_k, d_model, bias=False)
        self.W_K = nn.Linear(d_k, d_model, bias=False)
        self.W_V = nn.Linear(d_v, d_model, bias=False)

    def forward(self, x):
        return qkv(x, self.W_Q.weight, self.W_K.weight, self.W_V.weight)


def sinusoidal_positions(n, d_model, start=0):
    pos = torch.arange(start, start + n, dtype=torch.float32).unsqueeze(1)
    scale = 10000 ** (torch.arange(0, d_model, 2, dtype=torch.float32) / d_model)
    pe = torch.zeros(n, d_model)
    pe[:, 0::2] = torch.sin(pos * scale)
    pe[:, 1::2] = torch.cos(pos * scale)
    return pe
