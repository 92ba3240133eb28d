# mistakes: autograd-cut
import numpy as np
import torch
from torch import nn


def project(x, W):
    return torch.matmul(x, W)


def qkv(x, W_Q, W_K, W_V):
    q = torch.matmul(x, W_Q)
    k = torch.matmul(x, W_K)
    v = torch.matmul(x, W_V)
    return q, k, v


def matrix_of(linear):
    w = linear.weight.detach().cpu().numpy()
    w = np.ascontiguousarray(np.transpose(w))
    return torch.from_numpy(w).to(linear.weight.device)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        for name, size in zip(["W_Q", "W_K", "W_V"], [d_k, d_k, d_v]):
            setattr(self, name, nn.Linear(d_model, size, bias=False))

    def forward(self, x):
        return tuple(getattr(self, name)(x) for name in ["W_Q", "W_K", "W_V"])


def sinusoidal_positions(n, d_model, start=0):
    pos = np.arange(start, start + n)[:, None]
    freq = 1.0 / np.power(10000.0, np.arange(0, d_model, 2) / d_model)
    pe = np.zeros((n, d_model))
    pe[:, 0::2] = np.sin(pos * freq)
    pe[:, 1::2] = np.cos(pos * freq)
    return torch.tensor(pe, dtype=torch.float32)
