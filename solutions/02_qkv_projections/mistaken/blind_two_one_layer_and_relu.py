# mistakes: proj-activation-on-qkv, proj-key-through-query-weights
# QKVProjection shares one weight between queries and keys.
# project applies a ReLU.
import torch
from torch import nn


def project(x, W):
    hidden = x @ W
    return torch.relu(hidden)


def qkv(x, W_Q, W_K, W_V):
    return x @ W_Q, x @ W_K, x @ W_V


def matrix_of(linear):
    return linear.weight.T


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = self.W_Q
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    freqs = 1.0 / 10000 ** (torch.arange(0, d_model, 2)[: d_model // 2].float() / d_model)
    args = torch.outer(torch.arange(start, start + n).float(), freqs)
    emb = torch.zeros(n, d_model)
    emb[:, 0::2] = args.sin()
    emb[:, 1::2] = args.cos()
    return emb
