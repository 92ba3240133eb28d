# mistakes: proj-weights-not-registered
# QKVProjection keeps its layers in a plain dict, so they are not registered as parameters.
import torch
import torch.nn as nn


def project(x, W):
    return x @ W


def qkv(x, W_Q, W_K, W_V):
    return project(x, W_Q), project(x, W_K), project(x, W_V)


def matrix_of(linear):
    return linear.weight.T


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.layers = {
            "q": nn.Linear(d_model, d_k, bias=False),
            "k": nn.Linear(d_model, d_k, bias=False),
            "v": nn.Linear(d_model, d_v, bias=False),
        }

    @property
    def W_Q(self):
        return self.layers["q"]

    @property
    def W_K(self):
        return self.layers["k"]

    @property
    def W_V(self):
        return self.layers["v"]

    def forward(self, x):
        return tuple(self.layers[name](x) for name in "qkv")


def sinusoidal_positions(n, d_model, start=0):
    pos = torch.arange(start, start + n, dtype=torch.float32).unsqueeze(1)
    i = torch.arange(d_model, dtype=torch.float32).unsqueeze(0)
    angles = pos / (10000 ** (2 * torch.floor(i / 2) / d_model))
    angles[:, 0::2] = torch.sin(angles[:, 0::2])
    angles[:, 1::2] = torch.cos(angles[:, 1::2])
    return angles
