"""Objects that the checks hand to your functions, and readings of the layers that you build. No answers in here."""

from types import SimpleNamespace

import torch
from torch import nn


def make_linear(d_in, d_out, bias=True, dtype=torch.float32, device="cpu"):
    """An `nn.Linear` from `d_in` to `d_out` numbers; the checks load its weights."""
    return nn.Linear(d_in, d_out, bias=bias, dtype=dtype, device=device)


def prepare(module, x):
    """Moves a module to the dtype and device of `x` and fills its parameters, so that no drawn number is left in it."""
    module.to(x.device, x.dtype)
    for parameter in module.parameters():
        nn.init.constant_(parameter, 0.5)


def layer_sizes(module):
    """What `W_Q`, `W_K` and `W_V` are: `in -> out` with or without bias, or the type where one is no `nn.Linear`."""
    return SimpleNamespace(**{name: _describe(getattr(module, name, None)) for name in ("W_Q", "W_K", "W_V")})


def _describe(layer):
    if not isinstance(layer, nn.Linear):
        return type(layer).__name__
    return f"{layer.in_features} -> {layer.out_features}, {'no bias' if layer.bias is None else 'bias'}"


def every_second_row(x):
    """The rows 0, 2, 4, ... of `x`: a view with gaps in memory."""
    return x[..., ::2, :]
