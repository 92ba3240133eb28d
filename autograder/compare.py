"""What *equal* means: the one place where tolerances live.

A result is compared in float64 with what the reference gives in float64, within a bound made of two parts: a floor for
the dtype, and the error that the reference itself makes when run plainly in that dtype on the same input. So a right
answer that sums in another order, scales earlier or works in blocks passes, and one computed in half precision fails.

Floors, per dtype (relative to each expected value, and absolute relative to the largest of them):
float64 1e-6, since a softmax taken in float32 or a scale from a 0-d float32 tensor is right and costs 1e-8 to 1e-7;
float32 1e-4 and 1e-5, ten times what right styles were seen to differ, a thousandth of what mistakes do;
bfloat16 and float16 as those formats' own rounding after a few operations.
NaN and infinity are never within a bound: a comparison that meets one fails.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from autograder.calls import Opaque, Outcome, Status, Value
from autograder.model import Message

_RELATIVE = {torch.float64: 1e-6, torch.float32: 1e-4, torch.bfloat16: 5e-2, torch.float16: 5e-3}
_ABSOLUTE = {torch.float64: 1e-6, torch.float32: 1e-5, torch.bfloat16: 5e-2, torch.float16: 5e-3}
# Values near 1 are the rule (weights, unit inputs); below it the floor stays, except in half precision, where a floor
# of 0.05 would hide everything.
_UNIT = {torch.float64: 1.0, torch.float32: 1.0, torch.bfloat16: 0.25, torch.float16: 0.25}
_PLAIN_FACTOR = 4.0  # another order of operations may err a few times as much as the reference's own
CLEARLY = 10.0  # two outcomes this many bounds apart are different beyond doubt


@dataclass(frozen=True, slots=True)
class Expected:
    """What the reference gave: `plain` in the dtype and on the device asked for, `exact` in float64 on the CPU."""

    plain: Outcome
    exact: Outcome


def difference(seen: Outcome, expected: Expected) -> Message | None:
    """How an outcome differs from the reference's, the gravest first; None where it agrees."""
    if expected.plain.status is not Status.RETURNED:
        return _difference_of_endings(seen, expected.plain)
    return (
        structure(seen, expected)
        or _first(_values(seen, expected))
        or _first(_gradients(seen, expected))
        or _first(Message("changed", {"argument": name}) for name in seen.changed if name not in expected.plain.changed)
    )


def structure(seen: Outcome, expected: Expected) -> Message | None:
    """How an outcome differs in kind: it did not return, or types, number of parts, shapes, dtypes or devices differ."""
    if seen.status is not Status.RETURNED:
        return ending(seen)
    return _first(_structure("", seen.value, expected.plain.value)) or _devices(seen, expected.plain)


def ending(outcome: Outcome) -> Message:
    """The sentence for an outcome that did not return."""
    raised = outcome.raised
    if outcome.status is Status.RAISED and raised is not None:
        last = raised.frames[-1] if raised.frames else None
        place = {"line": last.line, "code": last.text, "file": last.file} if last else {"line": 0, "code": "", "file": ""}
        return Message("raised", {"type_name": raised.type_name, "text": raised.message, **place})
    return Message(str(outcome.status), {"how": raised.message if raised else ""})


def _difference_of_endings(seen: Outcome, plain: Outcome) -> Message | None:
    wanted = plain.raised.type_name if plain.raised else str(plain.status)
    if seen.status is Status.RETURNED:
        return Message("not-raised", {"expected": wanted})
    if seen.status is not Status.RAISED or seen.raised is None:
        return ending(seen)
    if wanted in (seen.raised.type_name, *seen.raised.bases):
        return None
    return Message("wrong-error", {"expected": wanted, "yours": seen.raised.type_name, "text": seen.raised.message})


# ------------------------------------------------------------------------------------------------ structure


def _structure(path: str, yours: Value, wanted: Value) -> Iterator[Message]:
    if isinstance(wanted, (tuple, list)):
        yield from _structure_of_sequence(path, yours, wanted)
    elif isinstance(wanted, dict):
        if not isinstance(yours, dict) or list(map(str, yours)) != list(map(str, wanted)):
            yield _wrong_type(path, yours, wanted)
        else:
            for key in wanted:
                yield from _structure(f"{path}[{key!r}]", yours[key], wanted[key])
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
            yield from _structure(f"{path}[{index}]", mine, theirs)


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


def _devices(seen: Outcome, plain: Outcome) -> Message | None:
    for index, (mine, theirs) in enumerate(zip(seen.leaves, plain.leaves, strict=False)):
        if mine.device != theirs.device:
            return Message("device", {"path": f"[{index}]", "expected": theirs.device, "yours": mine.device})
    return None


# --------------------------------------------------------------------------------------------------- values


def _values(seen: Outcome, expected: Expected) -> Iterator[Message]:
    yours, plain = list(leaves(seen.value)), list(leaves(expected.plain.value))
    exact = list(leaves(expected.exact.value))
    for (path, mine), (_, theirs), (_, precise) in zip(yours, plain, exact, strict=True):
        message = _value(path, mine, theirs, precise)
        if message:
            yield message


def _value(path: str, mine: Value, plain: Value, exact: Value) -> Message | None:
    if not isinstance(plain, (torch.Tensor, np.ndarray)):
        if _scalars_agree(mine, plain):
            return None
        return Message("values", {"path": path, "expected": str(plain), "yours": str(scalar(mine)), "where": ""})
    wanted, got = doubles(exact), doubles(mine)
    worst = _worst(got, wanted, bounds(doubles(plain), wanted, _dtype_of(plain)))
    return None if worst is None else _value_message(path, got, wanted, worst)


def _value_message(path: str, got: torch.Tensor, wanted: torch.Tensor, worst: tuple[int, ...]) -> Message:
    mine, theirs = float(got[worst]), float(wanted[worst])
    where = list(worst)
    if not math.isfinite(mine):
        return Message("nonfinite", {"path": path, "kind": number_text(mine), "where": where, "expected": number_text(theirs)})
    shown = {"expected": number_text(theirs), "yours": number_text(mine), "difference": number_text(abs(mine - theirs))}
    return Message("values", {"path": path, "where": where, **shown})


def _scalars_agree(mine: Value, plain: Value) -> bool:
    if isinstance(plain, float) and not isinstance(plain, bool):
        number = scalar(mine)
        return number is not None and bool(abs(number - plain) <= 1e-6 * max(1.0, abs(plain)))
    return bool((scalar(mine) if isinstance(plain, int) else mine) == plain)


def bounds(plain: torch.Tensor, exact: torch.Tensor, dtype: Any) -> torch.Tensor | None:
    """How far each element may be off, in float64; None for dtypes that must be equal."""
    if dtype not in _RELATIVE:
        return None
    size = exact.abs()
    largest = _finite_max(size)
    error = _finite_max((plain - exact).abs())
    return _RELATIVE[dtype] * size + (_ABSOLUTE[dtype] * max(_UNIT[dtype], largest) + _PLAIN_FACTOR * error)


def _worst(got: torch.Tensor, wanted: torch.Tensor, bound: torch.Tensor | None) -> tuple[int, ...] | None:
    """Index of the element that is furthest beyond its bound, or None where all are within."""
    excess = excess_of(got, wanted, bound)
    if excess.numel() == 0 or float(excess.max()) <= 1.0:
        return None
    flat = int(excess.argmax())
    return tuple(int(i) for i in np.unravel_index(flat, tuple(excess.shape)))


def excess_of(got: torch.Tensor, wanted: torch.Tensor, bound: torch.Tensor | None) -> torch.Tensor:
    """Distance in units of the bound, element by element; infinite where a NaN or infinity stands on one side only."""
    if bound is None:
        return torch.where(got == wanted, 0.0, math.inf)
    distance = (got - wanted).abs() / bound
    alike = (got == wanted) | (got.isnan() & wanted.isnan())
    distance = torch.where(alike, 0.0, distance)
    return torch.where(distance.isfinite(), distance, math.inf)


def _finite_max(tensor: torch.Tensor) -> float:
    if tensor.numel() == 0:
        return 0.0
    return float(torch.nan_to_num(tensor, nan=0.0, posinf=0.0, neginf=0.0).max())


# ------------------------------------------------------------------------------------------------ gradients


def _gradients(seen: Outcome, expected: Expected) -> Iterator[Message]:
    wanted = expected.plain.grads
    if wanted is None:
        return
    if seen.grad_error is not None:
        yield Message("grad-error", {"type_name": seen.grad_error.type_name, "text": seen.grad_error.message})
        return
    for name, plain in wanted.items():
        message = _gradient(name, (seen.grads or {}).get(name), plain, (expected.exact.grads or {}).get(name))
        if message:
            yield message


def _gradient(name: str, mine: Value, plain: Value, exact: Value) -> Message | None:
    """A gradient that never arrived is one of zeros."""
    if plain is None or exact is None:
        return None
    wanted = doubles(exact)
    got = torch.zeros_like(wanted) if mine is None else doubles(mine)
    if got.shape != wanted.shape:
        return Message("gradient-missing", {"argument": name})
    worst = _worst(got, wanted, bounds(doubles(plain), wanted, plain.dtype))
    if worst is None:
        return None
    if mine is None or not bool(got.any()):
        return Message("gradient-missing", {"argument": name})
    shown = {"expected": number_text(float(wanted[worst])), "yours": number_text(float(got[worst]))}
    return Message("gradient", {"argument": name, "where": list(worst), **shown})


# ------------------------------------------------------------------------- outcomes against each other (diagnosis)


def apart(one: Outcome, other: Outcome, noise: Expected) -> float:
    """How far apart two outcomes are, in bounds: <= 1 alike, >= CLEARLY different beyond doubt. `noise` gives the bound."""
    if one.status is not other.status:
        return math.inf
    if one.status is not Status.RETURNED:
        alike = one.raised is not None and other.raised is not None and one.raised.type_name == other.raised.type_name
        return 0.0 if alike else math.inf
    exact, plain = Expected(other, other), noise.plain
    if structure(one, exact) is not None or set(one.changed) != set(other.changed):
        return math.inf
    if (one.grad_error is None) != (other.grad_error is None):
        return math.inf
    return max(_values_apart(one, other, noise), _gradients_apart(one.grads, other.grads, plain.grads))


def _values_apart(one: Outcome, other: Outcome, noise: Expected) -> float:
    slack = _slack(noise)
    far = 0.0
    for (_, mine), (_, theirs) in zip(leaves(one.value), leaves(other.value), strict=True):
        if isinstance(theirs, (torch.Tensor, np.ndarray)):
            far = max(far, _tensors_apart(mine, theirs, slack))
        elif not _scalars_agree(mine, theirs):
            return math.inf
    return far


def _slack(noise: Expected) -> float:
    """The largest error that the reference itself makes in this call."""
    pairs = zip(leaves(noise.plain.value), leaves(noise.exact.value), strict=False)
    errors = [
        _finite_max((doubles(plain) - doubles(exact)).abs())
        for (_, plain), (_, exact) in pairs
        if isinstance(plain, torch.Tensor) and isinstance(exact, torch.Tensor) and plain.shape == exact.shape
    ]
    return max(errors, default=0.0)


def _tensors_apart(mine: Any, theirs: Any, slack: float) -> float:
    got, wanted = doubles(mine), doubles(theirs)
    bound = bounds(wanted, wanted, _dtype_of(theirs))
    if bound is not None:
        bound = bound + _PLAIN_FACTOR * slack
    excess = excess_of(got, wanted, bound)
    return float(excess.max()) if excess.numel() else 0.0


def _gradients_apart(mine: Mapping[str, Value] | None, theirs: Mapping[str, Value] | None, names: Any) -> float:
    if names is None:
        return 0.0
    far = 0.0
    for name in names:
        one, other = (mine or {}).get(name), (theirs or {}).get(name)
        if one is None and other is None:
            continue
        model = one if other is None else other
        one, other = (torch.zeros_like(model) if g is None else g for g in (one, other))
        far = max(far, math.inf if one.shape != other.shape else _tensors_apart(one, other, 0.0))
    return far


# --------------------------------------------------------------------------------------------------- helpers


def leaves(value: Value, path: str = "") -> Iterator[tuple[str, Value]]:
    """The parts of a value that are no containers, with the path to each."""
    if isinstance(value, (tuple, list)):
        for index, part in enumerate(value):
            yield from leaves(part, f"{path}[{index}]")
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, f"{path}[{key!r}]")
    else:
        yield path, value


def doubles(value: Any) -> torch.Tensor:
    """A tensor or array as float64 on the CPU, without history."""
    tensor = torch.from_numpy(value) if isinstance(value, np.ndarray) else value
    return tensor.detach().to("cpu", torch.float64)  # type: ignore[no-any-return]


def _dtype_of(value: Any) -> Any:
    return torch.from_numpy(value).dtype if isinstance(value, np.ndarray) else value.dtype


def shape_text(value: Any) -> str:
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


def number_text(number: float) -> str:
    """Three significant digits."""
    return f"{number:.3g}"


def _first(messages: Iterator[Message]) -> Message | None:
    return next(messages, None)
