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
    layers = {name: getattr(module, name, None) for name in ("W_Q", "W_K", "W_V")}
    names = {id(layer): name for name, layer in reversed(layers.items())}  # a layer goes by its first name
    return SimpleNamespace(**{name: _describe(name, layer, names[id(layer)]) for name, layer in layers.items()})


def _describe(name, layer, first_name):
    if not isinstance(layer, nn.Linear):
        return type(layer).__name__
    if first_name != name:
        return f"the same layer as {first_name}"
    return f"{layer.in_features} -> {layer.out_features}, {'no bias' if layer.bias is None else 'bias'}"


def two_calls(module, x):
    """Whether two calls on the same `x` give the same numbers, whatever was drawn in between."""
    first, second = module(x), module(x)
    same = all(torch.allclose(one, other, atol=1e-6) for one, other in zip(first, second, strict=True))
    return SimpleNamespace(are="equal" if same else "different")


def every_second_row(x):
    """The rows 0, 2, 4, ... of `x`: a view with gaps in memory."""
    return x[..., ::2, :]
