"""How far apart two outcomes are: what diagnosis asks of a submission and of hundreds of mistaken worlds."""

from __future__ import annotations

import math

import numpy as np

from autograder.compare.signature import Numbers, Signature
from autograder.compare.sketch import Given, Sketch, sketches_apart

CLEARLY = 10.0  # two outcomes this many bounds apart are different beyond doubt


def apart(one: Given, other: Given) -> float:
    """How far `one` is from `other`, in bounds of `other`: at most 1 where alike; infinite for another kind."""
    if isinstance(one, Sketch) or isinstance(other, Sketch):
        return sketches_apart(one, other)
    if not one.is_of_kind(other):
        return math.inf
    ratios = _ratios(one, other)
    return 0.0 if ratios is None else float(ratios.max())


def alike(one: Signature, other: Signature) -> tuple[bool, ...]:
    """Which parts of `one` are as those of `other`; none where the two differ in kind."""
    if not one.is_of_kind(other):
        return (False,) * len(other.parts)
    ratios = _ratios(one, other)
    if ratios is None:
        return (True,) * len(other.parts)
    starts = (0, *other.ends)
    return tuple(bool((ratios[a:b] <= 1.0).all()) for a, b in zip(starts, other.ends, strict=False))


def distances(one: Signature, other: Signature) -> Numbers:
    """How far each number of `one` is from that of `other`, which is of the same kind, in bounds of `other`."""
    ratios = _ratios(one, other)
    return np.zeros(one.numbers.size) if ratios is None else ratios


def _ratios(one: Signature, other: Signature) -> Numbers | None:
    """Distances in bounds, infinite where not finite; None where all numbers are equal."""
    unlike = (one.numbers != other.numbers) & ~(np.isnan(one.numbers) & np.isnan(other.numbers))
    if not unlike.any():
        return None
    ratios = np.zeros(one.numbers.size)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios[unlike] = np.abs(one.numbers - other.numbers)[unlike] / other.bounds[unlike]
    return np.where(np.isfinite(ratios), ratios, math.inf)
