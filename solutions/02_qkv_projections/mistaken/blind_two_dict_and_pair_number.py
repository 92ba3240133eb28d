# mistakes: pos-exponent-wrong
# QKVProjection.forward returns a dict.
# sinusoidal_positions forgets the factor 2 and divides the pair index by d_model.
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
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return {"Q": self.W_Q(x), "K": self.W_K(x), "V": self.W_V(x)}


def sinusoidal_positions(n, d_model, start=0):
    P = torch.zeros((n, d_model))
    for k in range(n):
        for i in range(d_model // 2):
            denominator = 10000 ** (i / d_model)
            P[k, 2 * i] = torch.sin(torch.tensor((start + k) / denominator))
            P[k, 2 * i + 1] = torch.cos(torch.tensor((start + k) / denominator))
    return P
