# accepted: bmm with the matrix expanded over the batch
import math

import torch
from torch import nn


def project(x, W):
    lead, T, d_in = x.shape[:-2], x.shape[-2], x.shape[-1]
    n = math.prod(lead)
    batched = x.reshape(n, T, d_in)
    out = torch.bmm(batched, W.expand(n, d_in, W.shape[1]))
    return out.reshape(*lead, T, W.shape[1])


def qkv(x, W_Q, W_K, W_V):
    Q = project(x, W_Q)
    K = project(x, W_K)
    V = project(x, W_V)
    return Q, K, V


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


def sinusoidal_positions(n, d_model, start=0):
    # the whole table from 0, then cut
    p = torch.arange(start + n, dtype=torch.float64).view(-1, 1)
    rates = torch.pow(torch.tensor(10000.0, dtype=torch.float64), -torch.arange(0, d_model, 2) / d_model)
    whole = torch.empty(start + n, d_model, dtype=torch.float64)
    whole[:, ::2], whole[:, 1::2] = torch.sin(p * rates), torch.cos(p * rates)
    return whole[start:].to(torch.float32)
