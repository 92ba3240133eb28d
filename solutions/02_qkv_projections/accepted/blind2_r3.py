# accepted: in its own way
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def project(x, W):
    return F.linear(x, W.T)


def qkv(x, W_Q, W_K, W_V):
    answer = {}
    for role, W in (("v", W_V), ("k", W_K), ("q", W_Q)):
        answer[role] = F.linear(x, W.T)
    return answer["q"], answer["k"], answer["v"]


def matrix_of(linear):
    return linear.weight.mT


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_V = nn.Linear(d_model, d_v, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_Q = nn.Linear(d_model, d_k, bias=False)

    def forward(self, x):
        return tuple(F.linear(x, W) for W in (self.W_Q.weight, self.W_K.weight, self.W_V.weight))


def sinusoidal_positions(n, d_model, start=0):
    p, c = np.mgrid[start : start + n, 0:d_model]
    angle = p / 1e4 ** (2 * (c // 2) / d_model)
    return torch.from_numpy(np.where(c % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32))
