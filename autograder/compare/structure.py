"""What a value is, besides its numbers: type, number of parts, shape, dtype, device."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch

from autograder.calls import Opaque, Outcome, Value
from autograder.model import Message


def structure_of(path: str, yours: Value, wanted: Value) -> Iterator[Message]:
    """How a value differs in kind from the one wanted; `path` says where in the result it stands."""
    if isinstance(wanted, (tuple, list)):
        yield from _structure_of_sequence(path, yours, wanted)
    elif isinstance(wanted, dict):
        if not isinstance(yours, dict) or list(map(str, yours)) != list(map(str, wanted)):
            yield _wrong_type(path, yours, wanted)
        else:
            for key in wanted:
                yield from structure_of(f"{path}[{key!r}]", yours[key], wanted[key])
    elif isinstance(wanted, (torch.Tensor, np.ndarray)):
        yield from _structure_of_array(path, yours, wanted)
    elif not _is_scalar_like(yours, wanted):
        yield _wrong_type(path, yours, wanted)


def _structure_of_sequence(path: str, yours: Value, wanted: Sequence[Value]) -> Iterator[Message]:
    if not isinstance(yours, (tuple, list)):
        yield _wrong_type(path, yours, wanted)
    elif len(yours) != len(wanted):
        yield Message("length", {"path": path, "expected": len(wanted), "yours": len(yours)})
    else:
        for index, (mine, theirs) in enumerate(zip(yours, wanted, strict=True)):
            yield from structure_of(f"{path}[{index}]", mine, theirs)


def _structure_of_array(path: str, yours: Value, wanted: Any) -> Iterator[Message]:
    if type(yours) is not type(wanted):
        yield _wrong_type(path, yours, wanted)
    elif tuple(yours.shape) != tuple(wanted.shape):
        yield Message("shape", {"path": path, "expected": shape_text(wanted), "yours": shape_text(yours)})
    elif yours.dtype != wanted.dtype:
        yield Message("dtype", {"path": path, "expected": _dtype_text(wanted), "yours": _dtype_text(yours)})


def _is_scalar_like(yours: Value, wanted: Value) -> bool:
    """Numbers may be Python's, NumPy's or 0-d tensors; a bool is no number; anything else must be of the same type."""
    if isinstance(wanted, bool) or not isinstance(wanted, (int, float)):
        return type(yours) is type(wanted)
    number = scalar(yours)
    if number is None or isinstance(number, bool):
        return False
    return isinstance(number, (int, float)) if isinstance(wanted, float) else isinstance(number, int)


def in_dtypes_of(value: Value, wanted: Value) -> Value:
    """A value with its floating tensors and arrays in the dtypes of those that were wanted; 6.0 where 6 was is 6."""
    if isinstance(value, (tuple, list)) and isinstance(wanted, (tuple, list)) and len(value) == len(wanted):
        return type(value)(in_dtypes_of(mine, theirs) for mine, theirs in zip(value, wanted, strict=True))
    if isinstance(value, torch.Tensor) and isinstance(wanted, torch.Tensor) and value.is_floating_point():
        return value.to(wanted.dtype) if wanted.is_floating_point() else value
    if (
        isinstance(value, np.ndarray)
        and isinstance(wanted, np.ndarray)
        and value.dtype.kind == wanted.dtype.kind == "f"
    ):
        return value.astype(wanted.dtype)
    number = scalar(value)
    if type(wanted) is int and isinstance(number, float) and number.is_integer():
        return int(number)
    return value


def scalar(value: Value) -> int | float | bool | None:
    """The Python number in a number, a NumPy scalar or a 0-d tensor or array; None where there is none."""
    if isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (np.ndarray, np.generic, torch.Tensor)) and value.ndim == 0:
        item = value.item()
        return item if isinstance(item, (bool, int, float)) else None
    return None


def _wrong_type(path: str, yours: Value, wanted: Value) -> Message:
    return Message("type", {"path": path, "expected": type_text(wanted), "yours": type_text(yours)})


def devices_of(seen: Outcome, plain: Outcome) -> Message | None:
    """The first tensor of a result that is on another device than it should be."""
    for index, (mine, theirs) in enumerate(zip(seen.leaves, plain.leaves, strict=False)):
        if mine.device != theirs.device:
            return Message("device", {"path": f"[{index}]", "expected": theirs.device, "yours": mine.device})
    return None


Path = tuple[Any, ...]
"""Where a part stands: `(path of its container, index or key)`. Parts share the beginning, however long it is."""


def leaves(value: Value, path: Path = ()) -> Iterator[tuple[Path, Value]]:
    """The parts of a value that are no containers, with the path to each."""
    if isinstance(value, (tuple, list)):
        for index, part in enumerate(value):
            yield from leaves(part, (path, index))
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (path, key))
    else:
        yield path, value


def path_text(path: Path) -> str:
    """[1]['weights']."""
    return f"{path_text(path[0])}[{path[1]!r}]" if path else ""


def shape_text(value: Any) -> str:
    """(2, 3, 5)."""
    return str(tuple(value.shape))


def _dtype_text(value: Any) -> str:
    return str(value.dtype).removeprefix("torch.")


def type_text(value: Value) -> str:
    """A type as a learner would name it."""
    if isinstance(value, Opaque):
        return value.type_name
    if isinstance(value, torch.Tensor):
        return f"tensor {shape_text(value)}"
    if isinstance(value, np.ndarray):
        return f"array {shape_text(value)}"
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__} of {len(value)}"
    return "None" if value is None else type(value).__name__
