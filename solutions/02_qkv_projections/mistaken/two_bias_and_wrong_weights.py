# mistakes: proj-layer-has-bias, proj-value-through-key-weights
import numpy as np
import torch
from torch import nn


def project(x, W):
    *lead, d_in = x.shape
    d_out = W.size(1)
    y = torch.mm(x.contiguous().view(-1, d_in), W)
    return y.view(*lead, d_out)


def qkv(x, *matrices):
    return tuple(map(lambda W: project(x, W), matrices))


def matrix_of(linear):
    return linear.weight.t().contiguous()


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_v)

    def forward(self, x):
        keys = self.W_K(x)
        return self.W_Q(x), keys, keys


def sinusoidal_positions(n, d_model, start=0):
    pos = np.arange(start, start + n)[:, np.newaxis]
    j = np.arange(d_model)[np.newaxis, :]
    angles = pos / np.power(10000, 2 * (j // 2) / d_model)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return torch.from_numpy(angles).float()
