import torch
import torch.nn as nn
from torch import einsum


def project(x, W):
    return einsum("...i,io->...o", x, W)


def qkv(x, W_Q, W_K, W_V):
    # one big product, then cut
    d_k, d_v = W_Q.shape[1], W_V.shape[1]
    everything = project(x, torch.cat([W_Q, W_K, W_V], dim=1))
    return everything.split([d_k, d_k, d_v], dim=-1)


def matrix_of(linear):
    # the rows of W are what the layer makes of the unit vectors
    eye = torch.eye(linear.in_features, dtype=linear.weight.dtype, device=linear.weight.device)
    return nn.functional.linear(eye, linear.weight)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        for name, width in zip(("W_Q", "W_K", "W_V"), (d_k, d_k, d_v)):
            setattr(self, name, nn.Linear(d_model, width, bias=False))

    def forward(self, x):
        return tuple(layer(x) for layer in (self.W_Q, self.W_K, self.W_V))


def sinusoidal_positions(n, d_model, start=0):
    angles = torch.outer(
        torch.arange(start, start + n, dtype=torch.float64),
        10000 ** -(torch.arange(d_model // 2, dtype=torch.float64) * 2 / d_model),
    )
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).float()
