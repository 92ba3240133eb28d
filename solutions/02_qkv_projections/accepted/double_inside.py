# accepted: computed in double precision, returned in the dtype that came in
import torch
from torch import nn


def project(x, W):
    # sum in double precision, hand back what came in
    return (x.double() @ W.double()).to(x.dtype)


def qkv(x, W_Q, W_K, W_V):
    Q = project(x, W_Q)
    K = project(x, W_K)
    V = project(x, W_V)
    return Q, K, V


def matrix_of(linear):
    return linear.weight.mT


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super(QKVProjection, self).__init__()
        self.d_k = d_k
        self.d_v = d_v
        self.W_V = nn.Linear(d_model, d_v, False)
        self.W_K = nn.Linear(d_model, d_k, False)
        self.W_Q = nn.Linear(d_model, d_k, False)

    def forward(self, x):
        q = self.W_Q(x)
        k = self.W_K(x)
        v = self.W_V(x)
        return [q, k, v]


def sinusoidal_positions(n, d_model, start=0):
    # the whole table from 0, then cut
    p = torch.arange(start + n, dtype=torch.float64).view(-1, 1)
    rates = torch.pow(torch.tensor(10000.0, dtype=torch.float64), -torch.arange(0, d_model, 2) / d_model)
    whole = torch.empty(start + n, d_model, dtype=torch.float64)
    whole[:, ::2], whole[:, 1::2] = torch.sin(p * rates), torch.cos(p * rates)
    return whole[start:].to(torch.float32)
