"""A kit from a pack: what graders and findings ask of the reference and of known mistakes, answered by numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from autograder.calls import Outcome, Step, Value
from autograder.compare import Expected, Given, Signature, Sketch, signature
from autograder.graders.kit import usable_device
from autograder.graders.prepared import Prepared
from autograder.learn.outcomes import Kept
from autograder.learn.pack import Pack, Pairs, broken, check_tests, part, unpacked
from autograder.learn.pairing import AS_FIRST, AS_REFERENCE, AS_SECOND, FIRST_SKETCH
from autograder.model import Case, ContentError
from autograder.sandbox.nodes import WireError

_NOTHING = Sketch(-1, ())  # like no outcome there is


class PackKit(Prepared):
    """One assignment on one device, without its solution. Raises ContentError for a pack that cannot be read."""

    def __init__(self, pack: Pack, device: str = "cpu") -> None:
        super().__init__(pack.assignment, usable_device(device))
        check_tests(pack)
        self.pack = pack
        self._runs = {run.key: run for run in pack.runs}
        self._numbers = {id(case): number for number, case in enumerate(self._cases())}
        self._singles = [dict(case) for case in pack.cases]
        self._given: dict[tuple[int, int], Signature] = {}
        if len(self._singles) != len(self._numbers):
            raise broken(pack, "cases", ValueError("there are more or fewer than the assignment has"))
        self._kept = self._opened()
        starts = np.cumsum([0, *(len(run.calls) for run in pack.runs)])
        self._starts = {run.key: int(start) for run, start in zip(pack.runs, starts, strict=False)}

    def _cases(self) -> list[Case]:
        return [case for mistake in self.assignment.mistakes for case in mistake.cases]

    def expect(self, test: str, index: int, step: Step) -> Expected:
        """What the reference gave to step `index` of a test when the pack was made."""
        recording = self.recording(test)
        if index == len(recording.steps):
            expected = self._expected(test, index)
            recording.steps.append(step)
            recording.expected.append(expected)
            recording.signatures.append(signature(expected.plain, expected))
        return recording.expected[index]

    def preview(self, test: str, step: Step) -> Outcome:  # noqa: ARG002 - the next step is known by its place
        """What the reference gave to the next step of a test."""
        return self._expected(test, len(self.recording(test).steps)).plain

    def reference(self, test: str) -> Recited:
        """What the reference gave, in order."""
        return Recited(lambda index: self._expected(test, index).plain)

    def replay(self, cases: Sequence[Case]) -> PackedWorld:
        """The world of one case or two; of more, or of a pair that is not in the pack, one that gives nothing known."""
        numbers = sorted(self._numbers[id(case)] for case in cases)
        return PackedWorld(self, tuple(numbers))

    def single(self, case: int, key: str, index: int) -> Signature:
        """What a case gives to a call."""
        number = self._starts[key] + index
        outcome = self._singles[case].get(number)
        if outcome is None:
            return self.recordings[key].signatures[index]
        place = (case, number)
        if place not in self._given:
            self._given[place] = signature(self._outcome(outcome), self.recordings[key].expected[index])
        return self._given[place]

    def acts(self, case: int, key: str, index: int) -> bool:
        """Whether a case gives another outcome than the reference."""
        return self._starts[key] + index in self._singles[case]

    def code(self, first: int, second: int, key: str, index: int) -> int | None:
        """How the pack says what a pair gives to a call; None where it follows from the cases, or nothing is known."""
        pair = self._pairs.get((first, second))
        return None if pair is None else pair.get(self._starts[key] + index)

    def has_pair(self, first: int, second: int) -> bool:
        """Whether the pack knows the pair."""
        return (first, second) in self._pairs

    def sketch(self, number: int) -> Sketch:
        """A sketch by its number."""
        return self._sketches[number] if number < len(self._sketches) else _NOTHING

    def _expected(self, test: str, index: int) -> Expected:
        run = self._runs.get(test)
        if run is None or index >= len(run.calls):
            raise ContentError(f"{self.assignment.folder}: test_{test} makes calls that its pack.json does not know")
        plain, exact = run.calls[index]
        return Expected(self._outcome(plain), self._outcome(exact))

    def _outcome(self, number: int) -> Outcome:
        try:
            return self._kept.outcome(number)
        except WireError as error:
            raise broken(self.pack, "outcomes", error) from error

    def _opened(self) -> Kept:
        try:
            return Kept(unpacked(self.pack.outcomes), self.device)
        except (WireError, ValueError) as error:
            raise broken(self.pack, "outcomes", error) from error

    @cached_property
    def _packed_pairs(self) -> Pairs:
        return part(self.pack, "pairs", Pairs)

    @cached_property
    def _pairs(self) -> dict[tuple[int, int], dict[int, int]]:
        return {(pair.first, pair.second): dict(pair.calls) for pair in self._packed_pairs.pairs}

    @cached_property
    def _sketches(self) -> list[Sketch]:
        return [_sketch_of(kept.kind, kept.sums) for kept in self._packed_pairs.sketches]


def _sketch_of(kind: int, sums: bytes) -> Sketch:
    whole = sums[: len(sums) // 4 * 4]
    return Sketch(kind, tuple(map(float, np.frombuffer(whole, "<f4"))))


@dataclass(frozen=True, slots=True)
class PackedWorld:
    """The reference with up to two cases' edits."""

    kit: PackKit
    cases: tuple[int, ...]

    def gives(self, key: str, index: int) -> Given:
        """What it gives to call `index` of a test's run."""
        match self.cases:
            case ():
                return self.kit.recordings[key].signatures[index]
            case (one,):
                return self.kit.single(one, key, index)
            case (first, second) if self.kit.has_pair(first, second):
                return self._pair_gives(first, second, key, index)
        return _NOTHING

    def _pair_gives(self, first: int, second: int, key: str, index: int) -> Given:
        code = self.kit.code(first, second, key, index)
        if code is None:
            acts = [case for case in (first, second) if self.kit.acts(case, key, index)]
            if len(acts) == 2:  # noqa: PLR2004 - where both act, the pack must say what they do
                return _NOTHING
            return self.kit.single(acts[0] if acts else first, key, index)
        if code >= FIRST_SKETCH:
            return self.kit.sketch(code - FIRST_SKETCH)
        known = {AS_REFERENCE: (), AS_FIRST: (first,), AS_SECOND: (second,)}
        return PackedWorld(self.kit, known[code]).gives(key, index) if code in known else _NOTHING


class Recited:
    """A target that answers from a list; what is asked of it makes no difference."""

    def __init__(self, outcome: Callable[[int], Outcome]) -> None:
        self._outcome = outcome
        self._said = 0

    def begin(self, callbacks: Mapping[str, Callable[..., Value]]) -> None:  # noqa: ARG002
        """Starts from the first answer."""
        self._said = 0

    def perform(self, step: Step) -> Outcome:  # noqa: ARG002
        """The next answer."""
        self._said += 1
        return self._outcome(self._said - 1)

    def close(self) -> None:
        """Nothing is held."""
