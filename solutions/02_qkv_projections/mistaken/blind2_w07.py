# mistakes: proj-hardcoded-float32, pos-float64-result
import numpy as np
import torch
from torch import nn


def project(x, W):
    x = x.float()
    W = W.float()
    return torch.einsum("...td,de->...te", x, W)


def qkv(x, W_Q, W_K, W_V):
    Q = torch.einsum("...td,dk->...tk", x, W_Q)
    K = torch.einsum("...td,dk->...tk", x, W_K)
    V = torch.einsum("...td,dv->...tv", x, W_V)
    return Q, K, V


def matrix_of(linear):
    return torch.einsum("oi->io", linear.weight)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, False)
        self.W_K = nn.Linear(d_model, d_k, False)
        self.W_V = nn.Linear(d_model, d_v, False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    P = np.zeros((n, d_model))
    for k in range(n):
        for i in np.arange(d_model // 2):
            denominator = np.power(10000, 2 * i / d_model)
            P[k, 2 * i] = np.sin((k + start) / denominator)
            P[k, 2 * i + 1] = np.cos((k + start) / denominator)
    return torch.from_numpy(P)
