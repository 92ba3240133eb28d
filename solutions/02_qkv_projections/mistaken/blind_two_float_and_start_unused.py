# mistakes: proj-hardcoded-float32, kv-cache-positions-restart
# project converts to float32.
# sinusoidal_positions ignores start.
import torch
from torch import nn


def project(x, W):
    x = x.float()
    W = W.float()
    return torch.matmul(x, W)


def qkv(x, W_Q, W_K, W_V):
    return torch.matmul(x, W_Q), torch.matmul(x, W_K), torch.matmul(x, W_V)


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
    positions = torch.arange(n).unsqueeze(1)
    freqs = torch.pow(10000.0, -torch.arange(0, d_model, 2) / d_model)
    enc = torch.zeros(n, d_model)
    enc[:, 0::2] = (positions * freqs).sin()
    enc[:, 1::2] = (positions * freqs).cos()
    return enc
