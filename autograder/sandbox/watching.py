"""Which library functions a submission's own code used."""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType, FrameType, FunctionType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from autograder.sandbox.errors import Sources

FRAMES_LIMIT = 200
# What the fast path of nn.MultiheadAttention, fused attention and softmax call in turn, below torch or torch.ops.aten.
_ALIASES = {
    "_native_multi_head_attention": "multi_head_attention_forward",
    "_scaled_dot_product_attention_math": "scaled_dot_product_attention",
    "_scaled_dot_product_efficient_attention": "scaled_dot_product_attention",
    "_scaled_dot_product_flash_attention": "scaled_dot_product_attention",
    "_scaled_dot_product_flash_attention_for_cpu": "scaled_dot_product_attention",
    "_softmax": "softmax",
}


@contextlib.contextmanager
def watching(names: Sequence[str], sources: Sources, used: list[str]) -> Iterator[None]:
    """While it is entered, each function of `names` that code of `sources` runs is added to `used`, once.

    Calls out of other files, say a helper's, are not the submission's and do not count.
    """
    with contextlib.ExitStack() as stack:
        if names:
            stack.enter_context(_Watch(_functions(names), sources, used))
        if codes := _codes(names):
            stack.enter_context(_profiling(codes, sources, used))
        yield


def _codes(names: Sequence[str]) -> Mapping[CodeType, str]:
    """The code of the functions that are not PyTorch's, as far as their modules are loaded."""
    found = {}
    for name in names:
        module, _, last = name.rpartition(".")
        function: Any = None if name.startswith("torch.") else getattr(sys.modules.get(module), last, None)
        function = inspect.unwrap(function) if callable(function) else None
        # One wrapper's code may serve many functions: only code of that name is the function's own.
        if type(function) is FunctionType and function.__code__.co_name == last:
            found[function.__code__] = name
    return found


@contextlib.contextmanager
def _profiling(codes: Mapping[CodeType, str], sources: Sources, used: list[str]) -> Iterator[None]:
    """Sees calls of Python functions that no PyTorch mode hears of."""

    def see(frame: FrameType, event: str, _: object) -> None:
        name = codes.get(frame.f_code) if event == "call" else None
        if name is not None and name not in used and _is_called_by(sources, frame.f_back, name.partition(".")[0]):
            used.append(name)

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        yield
    finally:
        sys.setprofile(before)


def _is_called_by(sources: Sources, frame: FrameType | None, library: str) -> bool:
    """Whether the nearest code outside a library and this engine is the submission's."""
    for _ in range(FRAMES_LIMIT):
        if frame is None or frame.f_code.co_filename in sources:
            return frame is not None
        if str(frame.f_globals.get("__name__")).partition(".")[0] not in (library, "autograder"):
            return False
        frame = frame.f_back
    return False


def _functions(names: Sequence[str]) -> Mapping[Any, str]:
    names = [name for name in names if name.startswith("torch.")]
    short = {name.rpartition(".")[2]: name for name in names}
    short |= {fast: short[slow] for fast, slow in _ALIASES.items() if slow in short}
    found = {getattr(place, last, None): name for place in (torch, torch.ops.aten) for last, name in short.items()}
    found |= {_resolve(name): name for name in names}
    found.pop(None, None)
    return found


def _resolve(name: str) -> Any:
    value: Any = torch
    for part in name.split(".")[1:]:
        value = getattr(value, part, None)
    return value


class _Watch(TorchFunctionMode):
    def __init__(self, functions: Mapping[Any, str], sources: Sources, used: list[str]) -> None:
        super().__init__()
        self._functions, self._sources, self._used = functions, sources, used

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            name = self._functions.get(getattr(func, "overloadpacket", func))  # torch.ops.aten.f.default is f as well
        except TypeError:  # a callable that cannot be hashed is none of ours
            name = None
        if (
            name is not None
            and name not in self._used
            and _is_called_by(self._sources, inspect.currentframe(), "torch")
        ):
            self._used.append(name)
        return func(*args, **(kwargs or {}))
