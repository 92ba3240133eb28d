"""Mistakes made in a part of the answer only: in samples other than the first, in the last row, in the third result.

A loop that starts one too late, a mask of the first sample used for all: the answer is a mistaken world's in one
region and the reference's in the rest.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from autograder.compare import CLEARLY, Given, Path, Signature, apart, distances
from autograder.diagnose.evidence import Observation, World

Flags = np.ndarray[Any, np.dtype[np.bool_]]

LEAST_CALLS = 2  # in which a region must show, inside and outside, to be spoken of
AXES = {"sample": (3, 0), "head": (4, 1), "row": (2, -2)}  # fewest axes of an answer that has it, and which it is
MOST_RESULTS = 3


class Region(Protocol):
    """Some of the numbers of every answer. A finding carries its name."""

    @property
    def name(self) -> str:
        """What its sentence is found by; behind a colon, what fills it."""

    def flags(self, path: Path, shape: tuple[int, ...], *, elsewhere: bool) -> Flags:
        """Which numbers of a tensor at `path` of an answer lie in it, flat `(n,)`."""


@dataclass(frozen=True, slots=True)
class Slices:
    """One of the samples, heads or rows, or all but that one."""

    axis: str
    end: str  # "first" or "last"
    but: bool

    @property
    def name(self) -> str:
        """Such as "first-sample" or "but-last-row"."""
        return f"{'but-' if self.but else ''}{self.end}-{self.axis}"

    def flags(self, path: Path, shape: tuple[int, ...], *, elsewhere: bool) -> Flags:  # noqa: ARG002 - alike in all results
        """All or none, as `elsewhere` says, where a tensor has no such axis."""
        fewest, axis = AXES[self.axis]
        if len(shape) < fewest:
            return np.full(int(np.prod(shape)), elsewhere)
        index = np.arange(shape[axis])
        chosen = (index == (0 if self.end == "first" else shape[axis] - 1)) != self.but
        spread = [1] * len(shape)
        spread[axis] = shape[axis]
        return np.broadcast_to(chosen.reshape(spread), shape).reshape(-1)


@dataclass(frozen=True, slots=True)
class Result:
    """One of several results."""

    index: int

    @property
    def name(self) -> str:
        """Counted from 1: "result:3"."""
        return f"result:{self.index + 1}"

    def flags(self, path: Path, shape: tuple[int, ...], *, elsewhere: bool) -> Flags:  # noqa: ARG002 - each has its place
        """All of the one, none of the others."""
        return np.full(int(np.prod(shape)), path == ((), self.index))


REGIONS: tuple[Region, ...] = (
    *(Slices(*parts) for parts in itertools.product(AXES, ("first", "last"), (False, True))),
    *map(Result, range(MOST_RESULTS)),
)


def regions_of(world: World, observed: Sequence[Observation]) -> list[str]:
    """The regions in which a world gives what the submission gives, while the rest of every answer is right."""
    if not is_mixture(world, observed):
        return []  # as nearly all worlds: so none of the regions needs to be looked at
    left = list(REGIONS)
    shown = dict.fromkeys(REGIONS, 0)
    for call in observed:
        given = world.gives(call.key, call.index)
        seen = {region: _holds(region, call, given) for region in left}
        left = [region for region in left if seen[region] is not None]
        if not left:
            return []
        for region in left:
            shown[region] += bool(seen[region])
    return [region.name for region in left if shown[region] >= LEAST_CALLS]


def is_mixture(world: World, observed: Sequence[Observation]) -> bool:
    """Whether each number of every answer is a world's or the reference's: what uses a mistake made in places is so."""
    return all(_mixes(call, world.gives(call.key, call.index)) for call in observed)


def _mixes(call: Observation, given: Given) -> bool:
    seen, right = call.seen, call.reference
    if not isinstance(given, Signature) or not (seen.is_of_kind(right) and given.is_of_kind(right)):
        return call.message is None or apart(seen, given) <= 1.0
    counts = _counted(right)
    return bool((np.minimum(distances(seen, given), distances(seen, right))[counts] <= 1.0).all())


def _holds(region: Region, call: Observation, given: Given) -> bool | None:
    """Whether a call shows the region clearly; None where it contradicts it."""
    seen, right = call.seen, call.reference
    if not isinstance(given, Signature) or not (seen.is_of_kind(right) and given.is_of_kind(right)):
        return False if call.message is None else None
    as_mistaken, as_right, acts = distances(seen, given), distances(seen, right), distances(given, right)
    counts = _counted(right)
    for elsewhere in (False, True):  # a single sample, without an axis for it, may be treated either way
        inside = _inside(region, right, elsewhere=elsewhere)
        if not (np.where(inside, as_mistaken, as_right)[counts] > 1.0).any():
            clear = counts & (acts >= CLEARLY)
            return bool((clear & inside).any() and (clear & ~inside).any())
    return None


def _counted(answer: Signature) -> Flags:
    """Which numbers of an answer count: gradients gather from all samples, and do not."""
    counts = np.zeros(answer.numbers.size, bool)
    for part, start, end in _placed(answer):
        counts[start:end] = isinstance(part[1], str)  # of a gradient, the shape stands there
    return counts


def _inside(region: Region, answer: Signature, *, elsewhere: bool) -> Flags:
    """Which numbers of an answer lie in a region: of tensors, and not of truth values, which agree too easily."""
    inside = np.zeros(answer.numbers.size, bool)
    for part, start, end in _placed(answer):
        match part:
            case (tuple(path), str(), str(dtype), tuple(shape)) if not dtype.endswith("bool"):
                inside[start:end] = region.flags(path, shape, elsewhere=elsewhere)
    return inside


def _placed(answer: Signature) -> Iterator[tuple[tuple[Any, ...], int, int]]:
    return zip(answer.parts, (0, *answer.ends), answer.ends, strict=False)
