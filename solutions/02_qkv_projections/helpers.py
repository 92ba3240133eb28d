"""Objects that the checks hand to your functions, and readings of the layers that you build. No answers in here."""

from types import SimpleNamespace

import torch
from torch import nn

NAMES = ("W_Q", "W_K", "W_V")


def make_linear(d_in, d_out, bias=True, dtype=torch.float32, device="cpu"):
    """An `nn.Linear` from `d_in` to `d_out` numbers; the checks load its weights."""
    return nn.Linear(d_in, d_out, bias=bias, dtype=dtype, device=device)


def prepare(module, x):
    """Moves a module to the dtype and device of `x` and fills its parameters, so that no drawn number is left in it."""
    module.to(x.device, x.dtype)
    for parameter in module.parameters():
        nn.init.constant_(parameter, 0.5)


def layer_sizes(module):
    """What `W_Q`, `W_K` and `W_V` are: `in -> out` with or without bias, or what stands there instead."""
    layers = {name: getattr(module, name, None) for name in NAMES}
    names = {id(layer): name for name, layer in reversed(layers.items())}  # a layer goes by its first name
    return SimpleNamespace(**{name: _describe(module, name, layer, names[id(layer)]) for name, layer in layers.items()})


def _describe(module, name, layer, first_name):
    if layer is None:
        return f"nothing; other layers: {_others(module) or 'none'}"
    if not isinstance(layer, nn.Linear):
        return type(layer).__name__
    if first_name != name:
        return f"the same layer as {first_name}"
    known = isinstance(module, nn.Module) and any(part is layer for part in module.modules())
    bias = "no bias" if layer.bias is None else "bias"
    return f"{layer.in_features} -> {layer.out_features}, {bias}{'' if known else ', not registered'}"


def _others(module):
    """The linear layers that a module knows of under other names: "8 -> 3, 8 -> 5"."""
    parts = module.named_modules() if isinstance(module, nn.Module) else ()
    found = [part for name, part in parts if isinstance(part, nn.Linear) and name not in NAMES]
    return ", ".join(sorted(f"{part.in_features} -> {part.out_features}" for part in found))


def two_calls(module, x):
    """Whether two calls on the same `x` give the same numbers, whatever was drawn in between."""
    pairs = zip(_tensors(module(x)), _tensors(module(x)), strict=True)
    same = all(torch.allclose(one, other, atol=1e-6) for one, other in pairs)
    return SimpleNamespace(are="equal" if same else "different")


def _tensors(result):
    """The tensors of a result, which may be one of them, several, or several by name."""
    if isinstance(result, torch.Tensor):
        return [result]
    return list(result.values() if isinstance(result, dict) else result)


def every_second_row(x):
    """The rows 0, 2, 4, ... of `x`: a view with gaps in memory."""
    return x[..., ::2, :]
