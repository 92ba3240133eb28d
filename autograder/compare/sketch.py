"""A signature in a few bytes, for where it is too large to be kept: another signature can still be compared with it."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from autograder.compare.signature import Numbers, Signature
from autograder.compare.structure import path_text

SUMS = 2  # two outcomes that differ agree in one sum once in thousands, in two hardly ever
_LARGEST = float(np.finfo(np.float32).max)  # beyond it two sums count as equal


@dataclass(frozen=True, slots=True)
class Sketch:
    """A signature in a few bytes: a hash of what must be equal, and sums of its numbers with weights drawn for them.

    The lowest bit of `kind` says whether the call came back with a value. `sums` are float32.
    """

    kind: int
    sums: tuple[float, ...]

    @property
    def returned(self) -> bool:
        """Whether the call came back with a value."""
        return bool(self.kind & 1)


Given = Signature | Sketch
"""What a world gives to a call."""


def sketch(full: Signature) -> Sketch:
    """The sketch of a signature."""
    summed = _summed(full)
    exact = np.where(summed, 0.0, full.numbers) + 0.0  # no -0.0
    said = (
        repr((full.kind, tuple(map(_written, full.parts)))).encode()
        + np.where(np.isnan(exact), 0.5, exact).astype("<f8").tobytes()
        + summed.tobytes()
    )
    sums = np.clip(_weights(full.numbers.size)[:, summed] @ full.numbers[summed], -_LARGEST, _LARGEST)
    return Sketch(zlib.crc32(said) & ~1 | full.returned, tuple(map(float, sums.astype(np.float32))))


def _written(part: tuple[Any, ...]) -> tuple[Any, ...]:
    """A part with its path as text: packs are made of it."""
    where, *what = part
    return (path_text(where) if isinstance(where, tuple) else where, *what)


def _summed(full: Signature) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which numbers go into the sums; what must be equal, and what is not finite, goes into the hash."""
    return np.asarray(np.isfinite(full.numbers) & (full.bounds != 0))


@lru_cache(maxsize=256)
def _weights(count: int) -> Numbers:
    """Weights in [-1, 1) `(SUMS, count)`, from a stream that NumPy keeps for ever."""
    bits = np.asarray(np.random.PCG64(count).random_raw(SUMS * count), dtype=np.uint64)
    return (bits >> np.uint64(11)).astype(np.float64).reshape(SUMS, count) * 2.0**-52 - 1.0


def sketches_apart(one: Given, other: Given) -> float:
    """How far apart two are of which at least one is a sketch: in bounds of the other, or alike or not."""
    full = other if isinstance(other, Signature) else one
    mine, theirs = (part if isinstance(part, Sketch) else sketch(part) for part in (one, other))
    if mine.kind != theirs.kind:
        return math.inf
    distance = np.abs(np.subtract(mine.sums, theirs.sums))
    return float((distance / _slack(full, mine)).max()) if isinstance(full, Signature) else float(distance.any())


def _slack(full: Signature, own: Sketch) -> Numbers:
    """How far the sums of outcomes within bounds may be apart: as errors that do not all point one way add up."""
    summed = _summed(full)
    spread = np.sqrt(((_weights(full.numbers.size)[:, summed] * full.bounds[summed]) ** 2).sum(axis=1))
    rounding = np.abs(own.sums) * 2.0**-22 + np.finfo(np.float32).tiny
    return np.asarray(spread + rounding)
