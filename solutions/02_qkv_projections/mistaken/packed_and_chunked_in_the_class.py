# mistakes: proj-chunks-of-equal-width
import math

import torch
from torch import nn


def project(x: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    assert x.shape[-1] == W.shape[0], (x.shape, W.shape)
    return x.matmul(W)


def qkv(x, W_Q, W_K, W_V):
    out = {}
    for name, W in zip("QKV", [W_Q, W_K, W_V]):
        out[name] = project(x, W)
    return out["Q"], out["K"], out["V"]


def matrix_of(linear):
    W = linear.weight.transpose(0, 1)
    return W.clone()


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        W_QKV = torch.vstack([self.W_Q.weight, self.W_K.weight, self.W_V.weight])
        return (x @ W_QKV.T).chunk(3, dim=-1)


def sinusoidal_positions(n, d_model, start=0):
    def angle(p, j):
        return p / 10000 ** ((j - j % 2) / d_model)

    rows = [[(math.cos if j % 2 else math.sin)(angle(p, j)) for j in range(d_model)] for p in range(start, start + n)]
    return torch.tensor(rows, dtype=torch.float32)
