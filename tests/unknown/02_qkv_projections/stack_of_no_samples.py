# project loops over the batch and stacks, which fails for an empty batch.
import torch
from torch import nn


def project(x, W):
    outputs = []
    for sample in x:
        outputs.append(sample @ W)
    return torch.stack(outputs)


def qkv(x, W_Q, W_K, W_V):
    return x @ W_Q, x @ W_K, x @ W_V


def matrix_of(linear):
    return linear.weight.T.clone()


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(in_features=d_model, out_features=d_k, bias=False)
        self.W_K = nn.Linear(in_features=d_model, out_features=d_k, bias=False)
        self.W_V = nn.Linear(in_features=d_model, out_features=d_v, bias=False)

    def forward(self, x):
        return (self.W_Q(x), self.W_K(x), self.W_V(x))


def sinusoidal_positions(n, d_model, start=0):
    rows = []
    for p in range(start, start + n):
        row = []
        for c in range(d_model):
            angle = torch.tensor(p / 10000 ** ((c - c % 2) / d_model))
            row.append(torch.sin(angle) if c % 2 == 0 else torch.cos(angle))
        rows.append(torch.stack(row))
    return torch.stack(rows)
