"""Mistakes made in a part of the answer only: in samples other than the first, say, or in the last row.

A loop that starts one too late, a mask of the first sample used for all: the answer is a mistaken world's in one
region and the reference's in the rest.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.compare import CLEARLY, Given, Signature, distances
from autograder.diagnose.evidence import Observation, World

Flags = np.ndarray[Any, np.dtype[np.bool_]]

LEAST_CALLS = 2  # in which a region must show, inside and outside, to be spoken of
AXES = {"sample": (3, 0), "head": (4, 1), "row": (2, -2)}  # fewest axes of an answer that has it, and which it is


@dataclass(frozen=True, slots=True)
class Region:
    """Some of the samples, heads or rows of every answer."""

    axis: str
    end: str  # "first" or "last"
    but: bool  # all but that one

    @property
    def name(self) -> str:
        """As a finding carries it: "first-sample", "but-last-row"."""
        return f"{'but-' if self.but else ''}{self.end}-{self.axis}"

    def flags(self, shape: tuple[int, ...], *, elsewhere: bool) -> Flags:
        """Which numbers of an answer of a shape lie in it, flat; all or none where the answer has no such axis."""
        fewest, axis = AXES[self.axis]
        if len(shape) < fewest:
            return np.full(int(np.prod(shape)), elsewhere)
        index = np.arange(shape[axis])
        chosen = (index == (0 if self.end == "first" else shape[axis] - 1)) != self.but
        spread = [1] * len(shape)
        spread[axis] = shape[axis]
        return np.broadcast_to(chosen.reshape(spread), shape).reshape(-1)


REGIONS = tuple(Region(*parts) for parts in itertools.product(AXES, ("first", "last"), (False, True)))


def regions_of(world: World, observed: Sequence[Observation]) -> list[Region]:
    """The regions in which a world gives what the submission gives, while the rest of every answer is right."""
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
    return [region for region in left if shown[region] >= LEAST_CALLS]


def _holds(region: Region, call: Observation, given: Given) -> bool | None:
    """Whether a call shows the region clearly; None where it contradicts it."""
    seen, right = call.seen, call.reference
    if not isinstance(given, Signature) or not (seen.is_of_kind(right) and given.is_of_kind(right)):
        return False if seen.is_of_kind(right) and (distances(seen, right) <= 1.0).all() else None
    as_mistaken, as_right, acts = distances(seen, given), distances(seen, right), distances(given, right)
    for elsewhere in (False, True):  # a single sample, without an axis for it, may be treated either way
        inside, counts = _flags(region, right, elsewhere=elsewhere)
        if not (np.where(inside, as_mistaken, as_right)[counts] > 1.0).any():
            clear = counts & (acts >= CLEARLY)
            return bool((clear & inside).any() and (clear & ~inside).any())
    return None


def _flags(region: Region, answer: Signature, *, elsewhere: bool) -> tuple[Flags, Flags]:
    """Which numbers of an answer lie in a region, and which count: gradients gather from all samples and do not."""
    inside, counts = np.zeros(answer.numbers.size, bool), np.zeros(answer.numbers.size, bool)
    for part, start, end in zip(answer.parts, (0, *answer.ends), answer.ends, strict=False):
        match part:
            case (_, str(), "torch.bool" | "bool", tuple()):
                counts[start:end] = True  # must be right everywhere: truth values agree too easily
            case (_, str(), str(), tuple(shape)):
                inside[start:end], counts[start:end] = region.flags(shape, elsewhere=elsewhere), True
            case (_, "number") | (_, str(), str()):
                counts[start:end] = True
    return inside, counts
