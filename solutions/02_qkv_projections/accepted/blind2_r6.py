# accepted: in its own way
import torch
from torch import nn


def project(x, W):
    total = 0
    for i in range(W.shape[0]):
        total = total + x[..., i : i + 1] * W[i]
    return total


def qkv(x, W_Q, W_K, W_V):
    class Views(list):
        def add(self, W):
            self.append(torch.tensordot(x, W, dims=1))
            return self

    return tuple(Views().add(W_Q).add(W_K).add(W_V))


def matrix_of(linear):
    return torch.stack(tuple(linear.weight), dim=1)


class QKVProjection(nn.Module):
    NAMES = "W_Q", "W_K", "W_V"

    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        vars_ = dict(zip(self.NAMES, (d_k, d_k, d_v)))
        for name in vars_:
            self.register_module(name, nn.Linear(d_model, vars_[name], bias=False))

    def forward(self, x):
        Q, K, V = (project(x, matrix_of(getattr(self, name))) for name in self.NAMES)
        return Q, K, V


def sinusoidal_positions(n, d_model, start=0):
    if start:
        return sinusoidal_positions(start + n, d_model)[start:]
    table = torch.zeros(n, d_model // 2, 2, dtype=torch.float64)
    table += torch.arange(n)[:, None, None]
    table /= 10000 ** (torch.arange(d_model // 2, dtype=torch.float64) * 2 / d_model)[:, None]
    table[..., 0].sin_()
    table[..., 1].cos_()
    return table.view(n, d_model).type(torch.float32)
