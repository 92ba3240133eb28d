# accepted: in its own way
from functools import partial
from math import cos, sin

import torch
from torch import nn


def project(x, W):
    return torch.stack([x @ column for column in W.unbind(dim=1)], dim=-1)


def qkv(x, W_Q, W_K, W_V):
    of_x = partial(project, x)
    return of_x(W_Q), of_x(W_K), of_x(W_V)


def matrix_of(linear):
    d_out, d_in = linear.weight.shape
    W = torch.empty(d_in, d_out, dtype=linear.weight.dtype, device=linear.weight.device)
    for o in range(d_out):
        W[:, o] = linear.weight[o]
    return W


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        plain = partial(nn.Linear, d_model, bias=False)
        self.W_Q = plain(d_k)
        self.W_K = plain(d_k)
        self.W_V = plain(d_v)

    def forward(self, x):
        all_weights = torch.cat([self.W_Q.weight, self.W_K.weight, self.W_V.weight])
        d_k = self.W_Q.out_features
        everything = x @ all_weights.T
        return everything[..., :d_k], everything[..., d_k : 2 * d_k], everything[..., 2 * d_k :]


def sinusoidal_positions(n, d_model, start=0):
    def entry(p, c):
        return (cos if c % 2 else sin)(p / 10000 ** ((c - c % 2) / d_model))

    return torch.tensor([[entry(p, c) for c in range(d_model)] for p in range(start, start + n)])
