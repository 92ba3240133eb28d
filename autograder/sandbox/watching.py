"""Which library functions a submission's own code used."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from autograder.sandbox.errors import Sources

FRAMES_LIMIT = 200
# What nn.MultiheadAttention's fast path and fused attention call in turn, found below torch and below torch.ops.aten.
_ALIASES = {
    "_native_multi_head_attention": "multi_head_attention_forward",
    "_scaled_dot_product_attention_math": "scaled_dot_product_attention",
    "_scaled_dot_product_efficient_attention": "scaled_dot_product_attention",
    "_scaled_dot_product_flash_attention": "scaled_dot_product_attention",
    "_scaled_dot_product_flash_attention_for_cpu": "scaled_dot_product_attention",
}


def watching(names: Sequence[str], sources: Sources, used: list[str]) -> AbstractContextManager[Any]:
    """While it is entered, each function of `names` that code of `sources` runs is added to `used`, once.

    Calls out of other files, say a helper's, are not the submission's and do not count.
    """
    return _Watch(_functions(names), sources, used) if names else nullcontext()


def _functions(names: Sequence[str]) -> Mapping[Any, str]:
    found = {_resolve(name): name for name in names}
    short = {name.rpartition(".")[2]: name for name in names}
    short |= {fast: short[slow] for fast, slow in _ALIASES.items() if slow in short}
    for place in (torch, torch.ops.aten):
        found |= {getattr(place, last, None): name for last, name in short.items()}
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
        if name is not None and name not in self._used and self._is_called_by_submission():
            self._used.append(name)
        return func(*args, **(kwargs or {}))

    def _is_called_by_submission(self) -> bool:
        """Whether the nearest code outside torch and this engine is the submission's."""
        frame = inspect.currentframe()
        for _ in range(FRAMES_LIMIT):
            if frame is None or frame.f_code.co_filename in self._sources:
                return frame is not None
            if str(frame.f_globals.get("__name__")).partition(".")[0] not in ("torch", "autograder"):
                return False
            frame = frame.f_back
        return False
