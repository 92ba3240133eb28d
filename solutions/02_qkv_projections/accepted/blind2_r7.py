# accepted: in its own way
import torch
from torch import nn


def project(x, W, /):
    return (W.mT @ x.mT).mT


def qkv(x, W_Q, W_K, W_V, scale=1):
    if W_Q.shape == W_V.shape:
        stacked = torch.stack([W_Q, W_K, W_V])
        Q, K, V = torch.einsum("...td,rdk->r...tk", x, stacked)
        return Q * scale, K * scale, V * scale
    else:
        Q, K = torch.einsum("...td,rdk->r...tk", x, torch.stack([W_Q, W_K]))
        return Q * scale, K * scale, project(x, W_V) * scale


def matrix_of(linear):
    return linear.weight.flatten().view_as(linear.weight).movedim(0, 1).contiguous()


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)
        for parameter in self.parameters():
            nn.init.xavier_uniform_(parameter)

    def forward(self, x):
        jobs = iter([self.W_Q, self.W_K, self.W_V])
        q = next(jobs)(x)
        k = next(jobs)(x)
        v = next(jobs)(x)
        return q, k, v


def sinusoidal_positions(n, d_model, start=0):
    stop = start + n
    p = torch.linspace(start, stop - 1, n, dtype=torch.float64)
    halves = []
    for function in (torch.sin, torch.cos):
        halves.append(torch.column_stack([function(p / 10000 ** (even / d_model)) for even in range(0, d_model, 2)]))
    order = [column // 2 + (column % 2) * (d_model // 2) for column in range(d_model)]
    return torch.hstack(halves)[:, order].float()
