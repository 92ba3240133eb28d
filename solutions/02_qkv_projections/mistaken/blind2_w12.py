# mistakes: proj-first-sample-only, proj-positions-added-inside, pos-one-frequency
import math
import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    if x.dim() == 2:
        return project(x, W_Q), project(x, W_K), project(x, W_V)
    Q = [project(s, W_Q) for s in x]
    K = [project(s, W_K) for s in x]
    V = [project(x[0], W_V) for s in x]
    if len(x) == 0:
        return x @ W_Q, x @ W_K, x @ W_V
    return torch.stack(Q), torch.stack(K), torch.stack(V)


def matrix_of(linear):
    return linear.weight.T.clone()


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.d_model = d_model
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        T = x.shape[-2]
        table = torch.zeros(T, self.d_model)
        for p in range(T):
            for c in range(self.d_model):
                a = p / 10000 ** ((c - c % 2) / self.d_model)
                table[p, c] = math.cos(a) if c % 2 else math.sin(a)
        x = x + table.to(x)
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    table = [[0.0] * d_model for _ in range(n)]
    for p in range(n):
        for i in range(d_model // 2):
            angle = (p + start) / 10000 ** (2 * i // d_model)
            table[p][2 * i] = math.sin(angle)
            table[p][2 * i + 1] = math.cos(angle)
    return torch.tensor(table)
