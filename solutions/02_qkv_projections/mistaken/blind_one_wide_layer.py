# mistakes: proj-packed-in-one-layer
# QKVProjection packs everything into one linear layer, so W_Q, W_K and W_V do not exist.
import torch
import torch.nn as nn
import torch.nn.functional as F


def project(x, W):
    return F.linear(x, W.transpose(0, 1))


def qkv(x, W_Q, W_K, W_V):
    d_k, d_v = W_Q.shape[1], W_V.shape[1]
    packed = x @ torch.cat([W_Q, W_K, W_V], dim=1)
    return packed.split([d_k, d_k, d_v], dim=-1)


def matrix_of(linear):
    return linear.weight.T


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.sizes = [d_k, d_k, d_v]
        # one matmul instead of three
        self.c_attn = nn.Linear(d_model, 2 * d_k + d_v, bias=False)

    def forward(self, x):
        q, k, v = self.c_attn(x).split(self.sizes, dim=-1)
        return q, k, v


def sinusoidal_positions(n, d_model, start=0):
    pe = torch.zeros(n, d_model)
    position = torch.arange(start, n + start, dtype=torch.float).unsqueeze(1)
    div = torch.exp(torch.arange(0, d_model, 2).float() * -(torch.tensor(10000.0).log() / d_model))
    pe[:, 0::2] = torch.sin(position * div)
    pe[:, 1::2] = torch.cos(position * div)
    return pe
