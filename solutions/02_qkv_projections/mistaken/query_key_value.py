# mistakes: proj-layers-under-other-names
import torch
import torch.nn as nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    q = project(x, W_Q)
    k = project(x, W_K)
    v = project(x, W_V)
    return q, k, v


def matrix_of(linear):
    return linear.weight.t()


class QKVProjection(nn.Module):
    """ one head of self-attention """

    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.key = nn.Linear(d_model, d_k, bias=False)
        self.query = nn.Linear(d_model, d_k, bias=False)
        self.value = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        k = self.key(x)
        q = self.query(x)
        v = self.value(x)
        return q, k, v


def sinusoidal_positions(n, d_model, start=0):
    t = torch.arange(start, start + n).float()
    freqs = 10000.0 ** (-torch.arange(0, d_model, 2).float() / d_model)
    angles = torch.einsum("i,j->ij", t, freqs)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d_model)
