# mistakes: proj-layer-has-bias
import torch
import torch.nn as nn


def project(x, W):
    columns = [(x * W[:, j]).sum(dim=-1) for j in range(W.size(1))]
    return torch.stack(columns, dim=-1)


def qkv(x, W_Q, W_K, W_V):
    Q, K, V = [project(x, W) for W in [W_Q, W_K, W_V]]
    return Q, K, V


def matrix_of(linear):
    rows = [linear.weight[:, i] for i in range(linear.in_features)]
    return torch.stack(rows)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.d_model = d_model
        self.W_Q = nn.Linear(self.d_model, d_k, bias=False)
        self.W_K = nn.Linear(self.d_model, d_k, bias=False)
        self.W_V = nn.Linear(self.d_model, d_v)

    def forward(self, x):
        queries = self.W_Q(x)
        keys = self.W_K(x)
        values = self.W_V(x)
        return queries, keys, values


def sinusoidal_positions(n, d_model, start=0):
    p = torch.arange(n).double() + start
    pairs = torch.arange(d_model // 2).double()
    angle = torch.outer(p, 10000.0 ** (-2 * pairs / d_model))
    return torch.stack([angle.sin(), angle.cos()], dim=2).reshape(n, d_model).float()
