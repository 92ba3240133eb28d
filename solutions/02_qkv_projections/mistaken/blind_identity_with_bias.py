# mistakes: proj-bias-kept-in-matrix
# matrix_of feeds the identity through the layer and forgets to take the bias off.
import torch
from torch import nn


def project(x, W):
    return torch.matmul(x, W)


def qkv(x, W_Q, W_K, W_V):
    return project(x, W_Q), project(x, W_K), project(x, W_V)


def matrix_of(linear):
    # each row of the identity picks out one row of W
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
    pe = torch.zeros(n, d_model)
    pos = torch.arange(start, start + n).float().unsqueeze(1)
    freq = 10000 ** (-torch.arange(0, d_model, 2).float() / d_model)
    pe[:, 0::2] = torch.sin(pos * freq)
    pe[:, 1::2] = torch.cos(pos * freq)
    return pe
