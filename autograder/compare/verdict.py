"""How an outcome differs from the reference's, as the sentence that says so."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch

from autograder.calls import Outcome, Status, Value
from autograder.compare.policy import PLAIN_FACTOR, bounds, doubles, dtype_of, excess_of, finite_max, number_bound
from autograder.compare.structure import devices_of, leaves, path_text, scalar, structure_of
from autograder.model import Message


@dataclass(frozen=True)
class Expected:
    """What the reference gave: `plain` in the dtype and on the device asked for, `exact` in float64 on the CPU.

    What follows from the two is computed once: hundreds of mistaken worlds are measured by the same call.
    """

    plain: Outcome
    exact: Outcome

    @cached_property
    def own_error(self) -> float:
        """The largest error that the reference itself makes in this call."""
        pairs = zip(leaves(self.plain.value), leaves(self.exact.value), strict=False)
        errors = [
            finite_max((doubles(plain) - doubles(exact)).abs())
            for (_, plain), (_, exact) in pairs
            if is_numbers(plain) and is_numbers(exact) and plain.shape == exact.shape
        ]
        return max(errors, default=0.0)

    @cached_property
    def gradient_scale(self) -> float:
        """Some times the largest number among the results and gradients of the call.

        A gradient may be a small difference of numbers of that size, rounded on the way there and back.
        """
        values = [value for _, value in leaves(self.exact.value) if isinstance(value, torch.Tensor)]
        grads = [grad for grad in (self.exact.grads or {}).values() if grad is not None]
        return PLAIN_FACTOR * max((finite_max(doubles(tensor).abs()) for tensor in (*values, *grads)), default=0.0)


def is_numbers(value: Value) -> bool:
    """Whether a value is a tensor or an array."""
    return isinstance(value, (torch.Tensor, np.ndarray))


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
    """How an outcome differs in kind: it did not return, or types, parts, shapes, dtypes or devices differ."""
    if seen.status is not Status.RETURNED:
        return ending(seen)
    return _first(structure_of("", seen.value, expected.plain.value)) or devices_of(seen, expected.plain)


def ending(outcome: Outcome) -> Message:
    """The sentence for an outcome that did not return."""
    raised, exceeded = outcome.raised, outcome.exceeded
    limit: dict[str, Any] = {} if exceeded is None else {"limit": str(exceeded.limit)}
    if outcome.status is Status.RAISED and raised is not None:
        last = raised.frames[-1] if raised.frames else None
        place = (
            {"line": last.line, "code": last.text, "file": last.file} if last else {"line": 0, "code": "", "file": ""}
        )
        return Message("raised", {"type_name": raised.type_name, "text": raised.message, **place, **limit})
    said = raised.message if raised else ""
    if exceeded is not None:
        return Message(str(outcome.status), limit if exceeded.most is None else {**limit, "most": exceeded.most})
    return Message(str(outcome.status), {"name": said} if outcome.status is Status.MISSING else {"how": said})


def _difference_of_endings(seen: Outcome, plain: Outcome) -> Message | None:
    wanted = plain.raised.type_name if plain.raised else str(plain.status)
    if seen.status is Status.RETURNED:
        return Message("not-raised", {"expected": wanted})
    if seen.status is not Status.RAISED or seen.raised is None:
        return ending(seen)
    if wanted in (seen.raised.type_name, *seen.raised.bases):
        return None
    return Message("wrong-error", {"expected": wanted, "yours": seen.raised.type_name, "text": seen.raised.message})


# --------------------------------------------------------------------------------------------------- values


def _values(seen: Outcome, expected: Expected) -> Iterator[Message]:
    yours, plain = list(leaves(seen.value)), list(leaves(expected.plain.value))
    exact = list(leaves(expected.exact.value))
    for (path, mine), (_, theirs), (_, precise) in zip(yours, plain, exact, strict=True):
        message = _value(path_text(path), mine, theirs, precise)
        if message:
            yield message


def _value(path: str, mine: Value, plain: Value, exact: Value) -> Message | None:
    if not is_numbers(plain):
        if scalars_agree(mine, plain):
            return None
        return Message("values", {"path": path, "expected": str(plain), "yours": str(scalar(mine)), "where": ""})
    wanted, got = doubles(exact), doubles(mine)
    worst = _worst(got, wanted, bounds(doubles(plain), wanted, dtype_of(plain)))
    truth = dtype_of(plain) is torch.bool
    return None if worst is None else _value_message(path, got, wanted, worst, truth=truth)


def _value_message(
    path: str, got: torch.Tensor, wanted: torch.Tensor, worst: tuple[int, ...], *, truth: bool
) -> Message:
    mine, theirs = float(got[worst]), float(wanted[worst])
    where = list(worst)
    if truth:
        return Message(
            "values", {"path": path, "where": where, "expected": str(bool(theirs)), "yours": str(bool(mine))}
        )
    if not math.isfinite(mine):
        return Message(
            "nonfinite", {"path": path, "where": where, "expected": number_text(theirs), "yours": number_text(mine)}
        )
    shown = {"expected": number_text(theirs), "yours": number_text(mine), "difference": number_text(abs(mine - theirs))}
    return Message("values", {"path": path, "where": where, **shown})


def scalars_agree(mine: Value, plain: Value) -> bool:
    """Floats within what float32 may be off, everything else equal."""
    if isinstance(plain, float) and not isinstance(plain, bool):
        number = scalar(mine)
        return number is not None and bool(abs(number - plain) <= number_bound(plain))
    return bool((scalar(mine) if isinstance(plain, int) else mine) == plain)


def _worst(got: torch.Tensor, wanted: torch.Tensor, bound: torch.Tensor | None) -> tuple[int, ...] | None:
    """Index of the element that is furthest beyond its bound, or None where all are within."""
    excess = excess_of(got, wanted, bound)
    if excess.numel() == 0 or float(excess.max()) <= 1.0:
        return None
    flat = int(excess.argmax())
    return tuple(int(i) for i in np.unravel_index(flat, tuple(excess.shape)))


# ------------------------------------------------------------------------------------------------ gradients


def _gradients(seen: Outcome, expected: Expected) -> Iterator[Message]:
    wanted = expected.plain.grads
    if wanted is None:
        return
    if seen.grad_error is not None:
        yield Message("grad-error", {"type_name": seen.grad_error.type_name, "text": seen.grad_error.message})
        return
    for name, plain in wanted.items():
        exact = (expected.exact.grads or {}).get(name)
        message = _gradient(name, (seen.grads or {}).get(name), plain, exact, expected.gradient_scale)
        if message:
            yield message


def _gradient(name: str, mine: Value, plain: Value, exact: Value, scale: float) -> Message | None:
    """A gradient that never arrived is one of zeros."""
    if plain is None or exact is None:
        return None
    wanted = doubles(exact)
    got = torch.zeros_like(wanted) if mine is None else doubles(mine)
    if got.shape != wanted.shape:
        return Message("gradient-missing", {"argument": name})
    worst = _worst(got, wanted, bounds(doubles(plain), wanted, plain.dtype, scale=scale))
    if worst is None:
        return None
    if mine is None or not bool(got.any()):
        return Message("gradient-missing", {"argument": name})
    shown = {"expected": number_text(float(wanted[worst])), "yours": number_text(float(got[worst]))}
    return Message("gradient", {"argument": name, "where": list(worst), **shown})


def number_text(number: float) -> str:
    """Three significant digits."""
    return f"{number:.3g}"


def _first(messages: Iterator[Message]) -> Message | None:
    return next(messages, None)
