# accepted: the matrix read off an identity, less the bias
import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    Q = project(x, W_Q)
    K = project(x, W_K)
    V = project(x, W_V)
    return Q, K, V


def matrix_of(linear):
    weight = linear.weight
    eye = torch.eye(linear.in_features, dtype=weight.dtype, device=weight.device)
    W = linear(eye)
    if linear.bias is not None:
        W = W - linear.bias
    return W


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return qkv(x, matrix_of(self.W_Q), matrix_of(self.W_K), matrix_of(self.W_V))


def sinusoidal_positions(n, d_model, start=0):
    pos = start + torch.arange(n, dtype=torch.float32)
    i = torch.arange(d_model // 2, dtype=torch.float32)
    angle = torch.outer(pos, 10000 ** (-2 * i / d_model))
    return torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(n, d_model)
