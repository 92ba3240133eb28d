# accepted: ParameterList-free, properties beside registered layers; einsum with ellipsis; np.float32 positions from a buffer class
import torch
import torch.nn as nn
import numpy as np


def project(x, W):
    return torch.inner(x, W.T)


def qkv(x, W_Q, W_K, W_V):
    stack = {"q": W_Q, "k": W_K, "v": W_V}
    result = {name: project(x, W) for name, W in stack.items()}
    return result["q"], result["k"], result["v"]


def matrix_of(linear):
    W = linear.weight * 1.0
    return W.transpose(1, 0)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        query_layer = nn.Linear(d_model, d_k)
        query_layer.bias = None
        self.W_Q = query_layer
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)
        self.dropout = nn.Dropout(0.0)

    @property
    def query(self):
        return self.W_Q

    def forward(self, x):
        return self.query(self.dropout(x)), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    positions = np.arange(start, start + n, dtype=np.float32)
    frequencies = (1 / 10000 ** (np.arange(0, d_model, 2) / d_model)).astype(np.float32)
    angles = np.einsum("p,f->pf", positions, frequencies)
    table = np.empty((n, d_model), dtype=np.float32)
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return torch.tensor(table)
