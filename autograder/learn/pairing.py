"""Two mistakes at once, as few bytes as will name them on a learner's machine.

Most of what a pair does follows from its two cases: where only one of them acts, it does what that one does. What is
left are calls in which both act; there the pair gives what the reference or one of the two gives, or something new, of
which a sketch is kept.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from autograder.calls import Step
from autograder.compare import Expected, Given, Signature, apart, sketch
from autograder.diagnose import overlap
from autograder.graders.kit import Kit, Replayed
from autograder.graders.report import size_of
from autograder.graders.session import Ran
from autograder.learn.pack import PackedPair, PackedSketch, Pairs
from autograder.model import Case, Mistake

ALIKE = 0.01  # bounds: what is this near to another outcome is kept as that
AS_REFERENCE, AS_FIRST, AS_SECOND, FIRST_SKETCH = range(4)


@dataclass(frozen=True, slots=True)
class Call:
    """A visible call and what the reference gives to it."""

    key: str
    index: int
    function: str
    program: Sequence[Step]  # it and those before it, in order
    expected: Expected
    reference: Signature

    @property
    def size(self) -> int:
        """How many numbers it is given."""
        return size_of(self.program)


@dataclass
class Calls:
    """Every visible call, numbered through all runs, and every case, numbered through all mistakes."""

    kit: Kit
    runs: Sequence[Ran]

    @cached_property
    def known(self) -> tuple[Call, ...]:
        """In order."""
        return tuple(call for ran in self.runs for call in self._of(ran))

    def _of(self, ran: Ran) -> Iterator[Call]:
        recording = self.kit.recordings[ran.key]
        parts = zip(recording.expected, recording.signatures, strict=True)
        return (
            Call(ran.key, index, ran.function, recording.steps[: index + 1], *part) for index, part in enumerate(parts)
        )

    @property
    def cases(self) -> list[Case]:
        """In order."""
        return [case for mistake in self.kit.assignment.mistakes for case in mistake.cases]

    def reached_by(self, *cases: Case) -> list[tuple[int, Call]]:
        """The calls of functions that use all functions in which the cases lie."""
        uses = self.kit.assignment.calls
        return [
            (number, call)
            for number, call in enumerate(self.known)
            if all(case.function in uses[call.function] for case in cases)
        ]


def near(one: Given, other: Given) -> bool:
    """Whether an outcome is as good as another's."""
    return apart(one, other) <= ALIKE


def pairs_of(calls: Calls) -> Pairs:
    """Every pair of mistakes that can both be made and of which some function uses both places.

    Of mistakes that are not rare every case with every case, since a pair that is left out may be taken for another;
    of rare ones the first, which is what the author's patience allows.
    """
    pairing = _Pairing(calls)
    for one, other in itertools.combinations(calls.kit.assignment.mistakes, 2):
        if other.id not in one.looks_like and one.id not in other.looks_like:
            for first, second in itertools.product(_paired(one), _paired(other)):
                pairing.add(first, second)
    return Pairs(tuple(pairing.pairs), tuple(pairing.sketches))


def _paired(mistake: Mistake) -> Sequence[Case]:
    return mistake.cases[:1] if mistake.frequency == "rare" else mistake.cases


class _Pairing:
    def __init__(self, calls: Calls) -> None:
        self.calls = calls
        self.pairs: list[PackedPair] = []
        self.sketches: dict[PackedSketch, int] = {}
        self._numbers = {id(case): number for number, case in enumerate(calls.cases)}

    def add(self, first: Case, second: Case) -> None:
        """Keeps a pair, where it can be made."""
        shared = self.calls.reached_by(first, second)
        if not shared or overlap(first, second):
            return
        kit = self.calls.kit
        alone = kit.replay([first]), kit.replay([second])
        both = kit.world((*first.edits, *second.edits))
        told: list[tuple[int, int]] = []
        for number, call in shared:
            plain = self._plain(call, *alone)
            # Where neither acts alone they hardly ever act together: one time in two thousand, a third of the work.
            if plain != AS_REFERENCE and (code := self._code(call, both, *alone, plain)) != plain:
                told.append((number, code))
        self.pairs.append(PackedPair(self._numbers[id(first)], self._numbers[id(second)], tuple(told)))

    def _code(self, call: Call, both: Replayed, one: Replayed, other: Replayed, plain: int | None) -> int:
        """What the pair gives, in the shortest way to say it."""
        given = both.gives(call.key, call.index)
        known: dict[int, Given] = {
            AS_REFERENCE: call.reference,
            AS_FIRST: one.gives(call.key, call.index),
            AS_SECOND: other.gives(call.key, call.index),
        }
        for code in sorted(known, key=lambda code: code != plain):
            if near(given, known[code]):
                return code
        drawn = sketch(given)
        kept = PackedSketch(drawn.kind, np.array(drawn.sums, "<f4").tobytes())
        return FIRST_SKETCH + self.sketches.setdefault(kept, len(self.sketches))

    @staticmethod
    def _plain(call: Call, one: Replayed, other: Replayed) -> int | None:
        """What follows from the cases: what the one gives that acts; None where both do."""
        acts = [not near(world.gives(call.key, call.index), call.reference) for world in (one, other)]
        if all(acts):
            return None
        return AS_FIRST if acts[0] else AS_SECOND if acts[1] else AS_REFERENCE
