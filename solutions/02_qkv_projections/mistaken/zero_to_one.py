# mistakes: pos-positions-divided-by-length
import torch
from torch import nn


def project(x, W):
    return x @ W


def qkv(x, *matrices):
    return tuple(map(lambda W: project(x, W), matrices))


def matrix_of(linear):
    W = linear.weight.transpose(0, 1)
    return W.clone()


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
    fraction = torch.arange(start, start + n).float() / n
    i = torch.arange(d_model // 2)
    angle = fraction[:, None] * 10000.0 ** (-2.0 * i / d_model)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(n, d_model)
