# mistakes: autograd-cut, proj-bias-kept-in-matrix, pos-odd-columns-own-frequency
import torch
from torch import nn


def project(x, W):
    return x.matmul(W)


def qkv(x, W_Q, W_K, W_V):
    with torch.no_grad():
        Q = project(x, W_Q)
        K = project(x, W_K)
        V = project(x, W_V)
    return Q, K, V


def matrix_of(linear):
    eye = torch.eye(linear.in_features, dtype=linear.weight.dtype, device=linear.weight.device)
    return linear(eye)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    pos = torch.arange(start, start + n, dtype=torch.float64).reshape(-1, 1)
    columns = torch.arange(d_model, dtype=torch.float64).reshape(1, -1)
    angles = pos / 10000 ** (columns / d_model)
    angles[:, ::2] = angles[:, ::2].sin()
    angles[:, 1::2] = angles[:, 1::2].cos()
    return angles.float()
