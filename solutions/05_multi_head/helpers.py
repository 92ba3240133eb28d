"""Objects that the checks hand to your functions, and readings of the layers that you build. No answers in here."""

import torch
from torch import nn

NAMES = ("W_Q", "W_K", "W_V", "W_O")


def make_mha(d_model, num_heads, bias=True, batch_first=True, dtype=torch.float32, device="cpu"):
    """PyTorch's own layer; the checks load its weights, and biases that are not zero."""
    return nn.MultiheadAttention(d_model, num_heads, bias=bias, batch_first=batch_first, dtype=dtype, device=device)


def prepare(module, x):
    """Moves a module to the dtype and device of `x` and fills its parameters, so that no drawn number is left in it."""
    module.to(x.device, x.dtype)
    for parameter in module.parameters():
        nn.init.constant_(parameter, 0.5)


def weights_of(module):
    """The weights of `W_Q`, `W_K`, `W_V` and `W_O`, in this order."""
    return [module.get_parameter(f"{name}.weight").detach().clone() for name in NAMES]


def biases_of(module):
    """The biases of `W_Q`, `W_K`, `W_V` and `W_O`, in this order."""
    return [module.get_parameter(f"{name}.bias").detach().clone() for name in NAMES]


def layer_sizes(module):
    """What `W_Q`, `W_K`, `W_V`, `W_O` are: `in -> out` with or without bias, or what stands there instead."""
    layers = {name: getattr(module, name, None) for name in NAMES}
    names = {id(layer): name for name, layer in reversed(layers.items())}  # a layer goes by its first name
    return {name: _describe(module, name, layer, names[id(layer)]) for name, layer in layers.items()}


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
    """The linear layers that a module knows of under other names: "8 -> 8, 8 -> 24"."""
    parts = module.named_modules() if isinstance(module, nn.Module) else ()
    found = [part for name, part in parts if isinstance(part, nn.Linear) and name not in NAMES]
    return ", ".join(sorted(f"{part.in_features} -> {part.out_features}" for part in found))


def two_calls(module, x):
    """Whether two calls on the same `x` give the same numbers, whatever was drawn in between."""
    pairs = zip(_tensors(module(x)), _tensors(module(x)), strict=True)
    same = all(torch.allclose(one, other, atol=1e-6) for one, other in pairs)
    return "equal" if same else "different"


def _tensors(result):
    """The tensors of a result, which may be one of them, several, or several by name."""
    if isinstance(result, torch.Tensor):
        return [result]
    return list(result.values() if isinstance(result, dict) else result)


def every_second_row(x):
    """The rows 0, 2, 4, ... of `x`: a view with gaps in memory."""
    return x[..., ::2, :]
