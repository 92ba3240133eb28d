# accepted: one dot product for each output column
import torch
from torch import nn


def project(x, W):
    columns = [(x * W[:, j]).sum(-1) for j in range(W.shape[1])]
    return torch.stack(columns, dim=-1)


def qkv(x, W_Q, W_K, W_V):
    return [project(x, W) for W in (W_Q, W_K, W_V)]


def matrix_of(linear):
    # one column for each output
    return torch.stack(list(linear.weight), dim=1)


class QKVProjection(nn.Module):
    NAMES = ("W_Q", "W_K", "W_V")

    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        for name, d_out in zip(self.NAMES, (d_k, d_k, d_v)):
            setattr(self, name, nn.Linear(d_model, d_out, bias=False))

    def forward(self, x):
        results = []
        for name in self.NAMES:
            results.append(getattr(self, name)(x))
        return results


def sinusoidal_positions(n, d_model, start=0):
    rate = 10000.0 ** (-torch.arange(0, d_model, 2).double() / d_model)
    positions = torch.arange(start, start + n).double()
    hands = torch.polar(torch.ones(n, d_model // 2).double(), positions[:, None] * rate)
    return torch.stack((hands.imag, hands.real), -1).flatten(-2).float()
