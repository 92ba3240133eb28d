# mistakes: autograd-cut
# matrix_of wraps the transposed weight in a new Parameter, so gradients do not reach the layer.
import math
import torch
import torch.nn as nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    return tuple(project(x, W) for W in (W_Q, W_K, W_V))


def matrix_of(linear: nn.Linear) -> nn.Parameter:
    return nn.Parameter(linear.weight.T)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super(QKVProjection, self).__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        Q = self.W_Q(x)
        K = self.W_K(x)
        V = self.W_V(x)
        return Q, K, V


def sinusoidal_positions(n, d_model, start=0):
    position = torch.arange(start, start + n, dtype=torch.float32)[:, None]
    div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    angles = position * div_term
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
