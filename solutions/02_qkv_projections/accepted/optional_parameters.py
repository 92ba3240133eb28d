# accepted: optional parameters added by the learner
import torch
from torch import nn


def project(x, W, bias=None):
    y = x @ W
    if bias is not None:
        y = y + bias
    return y


def qkv(x, W_Q, W_K, W_V):
    return x @ W_Q, x @ W_K, x @ W_V


def matrix_of(linear):
    W = linear.weight.transpose(0, 1)
    return W.clone()


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v, dropout=0.0):
        super().__init__()
        self.W_Q, self.W_K = (nn.Linear(d_model, d_k, bias=False) for _ in range(2))
        self.W_V = nn.Linear(d_model, d_v, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        Q = x @ self.W_Q.weight.T
        K = x @ self.W_K.weight.T
        V = x @ self.W_V.weight.T
        return self.dropout(Q), self.dropout(K), self.dropout(V)


def sinusoidal_positions(n, d_model, start=0, base=10000.0):
    column = torch.arange(d_model)
    pair = torch.div(column, 2, rounding_mode="floor")
    angle = torch.arange(start, start + n)[:, None] / base ** (2 * pair / d_model)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())
