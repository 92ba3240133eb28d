# accepted: torch.jit.script for the functions, a factory for the class
import torch
from torch import nn


@torch.jit.script
def project(x: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    return torch.matmul(x, W)


def qkv(x, W_Q, W_K, W_V):
    return project(x, W_Q), project(x, W_K), project(x, W_V)


def matrix_of(linear):
    return linear.weight.flip(0).T.flip(1)


def _make(d_in, *d_outs):
    return (nn.Linear(d_in, d, bias=False) for d in d_outs)


class QKVProjection(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.W_Q, self.W_K, self.W_V = _make(d_model, d_k, d_k, d_v)

    def forward(self, x):
        flat = x.flatten(0, -2) if x.dim() > 2 else x
        return tuple(layer(flat).view(*x.shape[:-1], layer.out_features) for layer in (self.W_Q, self.W_K, self.W_V))


def sinusoidal_positions(n, d_model, start=0):
    pos = torch.arange(start, start + n).repeat_interleave(d_model).view(n, d_model)
    exponent = torch.arange(0, d_model, 2).repeat_interleave(2) / d_model
    angle = pos * 10000 ** -exponent
    is_even = (torch.arange(d_model) % 2 == 0).float()
    return is_even * angle.sin() + (1 - is_even) * angle.cos()
