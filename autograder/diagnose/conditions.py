"""Mistakes made in some calls only: where a mask is given, say, or in one dtype. All other calls are right.

A branch that forgets a step, a shortcut for the simple case: each wrong call gives what a mistaken world gives, and of
the calls that are right some would not be in that world.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.compare import CLEARLY, apart
from autograder.diagnose.evidence import Observation, World

LEAST_CALLS = 2  # that must show a mistake clearly where a condition tells them from the rest
LEAST_UNTOLD = 4  # and where none does

SOME_CALLS = "some-calls"
_TELLING = ("given", "true", "arguments", "dtype", "axes")  # of several traits the first says most


def condition_of(world: World, observed: Sequence[Observation]) -> str | None:
    """When a submission gives what a world gives, being right otherwise; None where it gives something else.

    Empty where the world would be right as well, or only raises: an empty batch may be caught before the mistake.
    """
    wrong = [call for call in observed if call.message is not None]
    if not all(apart(call.seen, world.gives(call.key, call.index)) <= 1.0 for call in wrong):
        return None
    clear = [call for call in wrong if _acts(world, call)]
    spared = [call for call in observed if call.message is None and _acts(world, call)]
    if len(clear) < LEAST_CALLS:
        return None
    if not spared:
        return ""
    told = _told_by(wrong, spared)
    return told or (SOME_CALLS if len(clear) >= LEAST_UNTOLD else None)


def _acts(world: World, call: Observation) -> bool:
    given = world.gives(call.key, call.index)
    return given.returned and apart(given, call.reference) >= CLEARLY


def _told_by(wrong: Sequence[Observation], spared: Sequence[Observation]) -> str:
    """The trait that all wrong calls have and no spared one, or the other way round."""
    always = frozenset.intersection(*(call.traits for call in wrong))
    never = frozenset.intersection(*(call.traits for call in spared))
    only = _telling(always - frozenset().union(*(call.traits for call in spared)))
    lacking = _telling(never - frozenset().union(*(call.traits for call in wrong)))
    return only or (f"not-{lacking}" if lacking else "")


def _telling(traits: frozenset[str]) -> str:
    return min(traits, key=lambda trait: (_TELLING.index(trait.split(":")[0]), trait), default="")
