# accepted: in its own way
import torch
from torch import nn


def project(x, W):
    return (x[..., None] * W).sum(dim=-2)


def qkv(x, *matrices):
    return tuple(map(project, [x] * len(matrices), matrices))


def matrix_of(linear):
    # what the layer makes of each unit vector, less what it makes of nothing
    units = torch.eye(linear.in_features).to(linear.weight)
    return linear(units) - linear(torch.zeros_like(units))


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        for letter, width in {"Q": d_k, "K": d_k, "V": d_v}.items():
            self.add_module(f"W_{letter}", nn.Linear(d_model, width, bias=False))

    def forward(self, x):
        return [self.get_submodule("W_" + letter)(x) for letter in "QKV"]


def sinusoidal_positions(n, d_model, start=0):
    p = torch.arange(n, dtype=torch.float64) + start
    column = torch.arange(d_model)
    angle = p[:, None] * 10000.0 ** (-(column - column % 2).double() / d_model)
    # the cosine is the sine a quarter turn later
    return torch.sin(angle + (column % 2) * torch.pi / 2).to(torch.float32)
