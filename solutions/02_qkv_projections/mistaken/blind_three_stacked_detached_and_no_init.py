# mistakes: proj-one-tensor-returned, autograd-cut
# QKVProjection does not call super().__init__().
# qkv stacks its results into one tensor.
# matrix_of detaches the weight.
import torch
import torch.nn as nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    return torch.stack([project(x, W) for W in (W_Q, W_K, W_V)])


def matrix_of(linear):
    W = linear.weight.detach().clone()
    return W.T


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x):
        return self.W_Q(x), self.W_K(x), self.W_V(x)


def sinusoidal_positions(n, d_model, start=0):
    pos = torch.arange(start, start + n, dtype=torch.float32)[:, None]
    i = torch.arange(0, d_model, 2, dtype=torch.float32)[None, :]
    angle = pos / torch.pow(torch.tensor(10000.0), i / d_model)
    pe = torch.zeros(n, d_model)
    pe[:, 0::2] = torch.sin(angle)
    pe[:, 1::2] = torch.cos(angle)
    return pe
