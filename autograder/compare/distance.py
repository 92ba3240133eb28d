"""How far apart two outcomes are: what diagnosis asks of a submission and a mistaken world."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import torch

from autograder.calls import Outcome, Status, Value
from autograder.compare.policy import PLAIN_FACTOR, bounds, doubles, dtype_of, excess_of, finite_max
from autograder.compare.structure import leaves
from autograder.compare.verdict import Expected, scalars_agree, structure

CLEARLY = 10.0  # two outcomes this many bounds apart are different beyond doubt


def apart(one: Outcome, other: Outcome, noise: Expected) -> float:
    """How far apart two outcomes are, in bounds: at most 1 where alike. `noise` is the reference's outcome."""
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
        elif not scalars_agree(mine, theirs):
            return math.inf
    return far


def _slack(noise: Expected) -> float:
    """The largest error that the reference itself makes in this call."""
    pairs = zip(leaves(noise.plain.value), leaves(noise.exact.value), strict=False)
    errors = [
        finite_max((doubles(plain) - doubles(exact)).abs())
        for (_, plain), (_, exact) in pairs
        if isinstance(plain, torch.Tensor) and isinstance(exact, torch.Tensor) and plain.shape == exact.shape
    ]
    return max(errors, default=0.0)


def _tensors_apart(mine: Any, theirs: Any, slack: float) -> float:
    got, wanted = doubles(mine), doubles(theirs)
    bound = bounds(wanted, wanted, dtype_of(theirs))
    if bound is not None:
        bound = bound + PLAIN_FACTOR * slack
    excess = excess_of(got, wanted, bound)
    return float(excess.max()) if excess.numel() else 0.0


def _gradients_apart(
    mine: Mapping[str, Value] | None, theirs: Mapping[str, Value] | None, names: Iterable[str] | None
) -> float:
    """A gradient that never arrived is one of zeros."""
    far = 0.0
    for name in names or ():
        one, other = (mine or {}).get(name), (theirs or {}).get(name)
        given = [gradient for gradient in (one, other) if gradient is not None]
        if given:
            zeros = torch.zeros_like(given[0])
            far = max(far, _gradient_apart(zeros if one is None else one, zeros if other is None else other))
    return far


def _gradient_apart(one: torch.Tensor, other: torch.Tensor) -> float:
    return math.inf if one.shape != other.shape else _tensors_apart(one, other, 0.0)
