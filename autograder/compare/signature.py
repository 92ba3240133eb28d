"""An outcome boiled down once, so that it can be compared with hundreds of others.

A signature says what must be equal (how the call ended, types, shapes, dtypes, devices, which arguments changed), and
holds all numbers in one row with how far others may be from them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from autograder.calls import Outcome, Status, Value
from autograder.compare.policy import PLAIN_FACTOR, bounds, doubles, dtype_of, number_bound
from autograder.compare.structure import leaves, scalar
from autograder.compare.verdict import Expected, is_numbers

Numbers = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """An outcome, ready to be compared.

    `parts` says what each part is (a tensor of the result, a gradient), `ends` where its numbers end; `numbers` and
    `bounds` are `(n,)`, where a bound of 0 asks for equality.
    """

    kind: tuple[Any, ...]
    parts: tuple[tuple[Any, ...], ...]
    ends: tuple[int, ...]
    numbers: Numbers
    bounds: Numbers

    @property
    def returned(self) -> bool:
        """Whether the call came back with a value."""
        return bool(self.kind[0] == Status.RETURNED)

    def is_of_kind(self, other: Signature) -> bool:
        """Whether the two differ in numbers at most."""
        return self.kind == other.kind and self.parts == other.parts


def signature(outcome: Outcome, expected: Expected) -> Signature:
    """The signature of an outcome of a call to which the reference gives `expected`."""
    changed = tuple(sorted(outcome.changed))
    if outcome.status is not Status.RETURNED:
        raised = outcome.raised.type_name if outcome.raised else ""
        return Signature((outcome.status, raised, changed), (), (), np.empty(0), np.empty(0))
    parts = [*_values(outcome, expected), *_gradients(outcome, expected)]
    devices = tuple(leaf.device for leaf in outcome.leaves)
    return Signature(
        kind=(outcome.status, devices, changed, outcome.grad_error is None),
        parts=tuple(what for what, _, _ in parts),
        ends=tuple(itertools.accumulate(row.size for _, row, _ in parts)),
        numbers=np.concatenate([row for _, row, _ in parts]) if parts else np.empty(0),
        bounds=np.concatenate([limit for _, _, limit in parts]) if parts else np.empty(0),
    )


_Part = tuple[tuple[Any, ...], Numbers, Numbers]


def _values(outcome: Outcome, expected: Expected) -> Iterator[_Part]:
    slack = PLAIN_FACTOR * expected.own_error
    wanted = dict(leaves(expected.plain.value))
    for path, value in leaves(outcome.value):
        if is_numbers(value) and not _is_number(wanted.get(path)):
            yield (path, type(value).__name__, str(value.dtype), tuple(value.shape)), *_row(value, slack)
        elif (number := scalar(value)) is not None and _is_number(wanted.get(path)):
            # A number may be Python's, NumPy's or a 0-d tensor.
            allowed = number_bound(number) if isinstance(wanted[path], float) else 0.0
            yield (path, "number"), np.array([float(number)]), np.array([allowed])
        else:
            yield (path, type(value).__name__, repr(value)), np.empty(0), np.empty(0)


def _is_number(value: Value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _row(value: Any, slack: float, scale: float = 0.0) -> tuple[Numbers, Numbers]:
    numbers = doubles(value).reshape(-1)
    allowed = bounds(numbers, numbers, dtype_of(value), scale=scale)
    limit = np.zeros(numbers.numel()) if allowed is None else (allowed + slack).numpy()
    return numbers.numpy(), limit


def _gradients(outcome: Outcome, expected: Expected) -> Iterator[_Part]:
    """A gradient that never arrived is one of zeros."""
    scale = expected.gradient_scale if expected.plain.grads else 0.0
    for name, wanted in (expected.plain.grads or {}).items():
        given = (outcome.grads or {}).get(name)
        if given is None and wanted is not None:
            given = torch.zeros_like(wanted)
        if given is not None:
            yield (name, tuple(given.shape)), *_row(given, 0.0, scale)
