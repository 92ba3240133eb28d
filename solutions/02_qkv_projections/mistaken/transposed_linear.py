# mistakes: proj-matrix-transposed
import torch
import torch.nn.functional as F
from torch import nn


def project(x, W):
    # a linear layer without bias
    return F.linear(x, W)


def qkv(x, *matrices):
    return tuple(map(lambda W: project(x, W), matrices))


def matrix_of(linear):
    return linear.weight.t().contiguous()


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
    pos = start + torch.arange(n, dtype=torch.float32)
    i = torch.arange(d_model // 2, dtype=torch.float32)
    angle = torch.outer(pos, 10000 ** (-2 * i / d_model))
    return torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(n, d_model)
