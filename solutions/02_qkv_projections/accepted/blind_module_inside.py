# accepted: project builds a throw-away functional_call of nn.Linear; embedding as position table
import torch
from torch import nn
from torch.func import functional_call


def project(x, W):
    shell = nn.Linear(W.shape[0], W.shape[1], bias=False, device="meta")
    return functional_call(shell, {"weight": W.T}, (x,))


def qkv(x, W_Q, W_K, W_V):
    return project(x, W_Q), project(x, W_K), project(x, W_V)


def matrix_of(linear):
    return linear.weight.movedim(0, 1)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k, bias=False)
        self.W_K = nn.Linear(d_model, d_k, bias=False)
        self.W_V = nn.Linear(d_model, d_v, bias=False)
        self.heads = [lambda x: self.W_Q(x), lambda x: self.W_K(x), lambda x: self.W_V(x)]

    def forward(self, x):
        return tuple(head(x) for head in self.heads)


class PositionTable(nn.Embedding):
    def __init__(self, length, width):
        super().__init__(length, width)
        pos = torch.arange(length, dtype=torch.float64)[:, None]
        freq = 10000.0 ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
        table = torch.empty(length, width, dtype=torch.float64)
        table[:, 0::2], table[:, 1::2] = torch.sin(pos * freq), torch.cos(pos * freq)
        self.weight = nn.Parameter(table.float(), requires_grad=False)


def sinusoidal_positions(n, d_model, start=0):
    return PositionTable(start + n, d_model)(torch.arange(start, start + n))
