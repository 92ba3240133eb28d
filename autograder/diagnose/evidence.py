"""What diagnosis is given: the recorded calls of each failing function, and worlds to compare them with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from autograder.compare import Given, Signature
from autograder.model import Case, Message, Mistake, NamedMistake


class World(Protocol):
    """The reference with some edits made: it can be asked any recorded call."""

    def gives(self, key: str, index: int) -> Given:
        """What it gives to call `index` of a test's run."""


Replay = Callable[[Sequence[Case]], World]


@dataclass(frozen=True, slots=True)
class Observation:
    """One recorded call: what the submission gave and what the reference gives; `message` says how they differ."""

    key: str  # the run of the test
    index: int
    test: str
    seen: Signature
    reference: Signature
    message: Message | None
    size: int  # numbers in its arguments
    traits: frozenset[str] = frozenset()  # what may decide which branch it takes: "given:mask", "axes:2"


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was seen of one function: its calls, and the tests that failed with their messages."""

    function: str
    observations: tuple[Observation, ...]
    failed: tuple[tuple[str, Message], ...]

    def only(self, observations: Sequence[Observation]) -> Evidence:
        """The same, of some calls and their tests alone."""
        tests = {observation.test for observation in observations}
        failed = tuple(entry for entry in self.failed if entry[0] in tests)
        return Evidence(self.function, tuple(observations), failed)

    def without(self, other: Evidence) -> Evidence:
        """The same, less the failed tests that belong to other evidence."""
        tests = {test for test, _ in other.failed}
        failed = tuple(entry for entry in self.failed if entry[0] not in tests)
        return Evidence(self.function, self.observations, failed)


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """One case of a mistake; `region` is where it was made, if not everywhere: calls, or a part of answers."""

    mistake: Mistake
    case: Case
    region: str = ""

    @property
    def named(self) -> NamedMistake:
        """As a finding carries it."""
        where = {"region": self.region} if self.region else {}
        return NamedMistake("edit" if self.mistake.generated else self.mistake.id, {**self.case.parameters, **where})

    def means(self, other: Candidate) -> bool:
        """Whether the two would be told to the learner as one: the same mistake, or twins no call can tell apart."""
        if self.region != other.region:
            return False
        ids = (self.mistake.id, other.mistake.id)
        return ids[0] == ids[1] or ids[0] in other.mistake.looks_like or ids[1] in self.mistake.looks_like


def overlap(one: Case, other: Case) -> bool:
    """Whether two cases edit the same text, so that they cannot be composed."""
    return any(a.start < b.end and b.start < a.end for a in one.edits for b in other.edits)


Explanation = tuple[Candidate, ...]


def same_meaning(one: Explanation, other: Explanation) -> bool:
    """Whether two explanations name the same mistakes."""
    return len(one) == len(other) and all(any(a.means(b) for b in other) for a in one)


def distinct(options: Sequence[Explanation]) -> list[Explanation]:
    """One of each meaning, in order."""
    kept: list[Explanation] = []
    for option in options:
        if not any(same_meaning(option, other) for other in kept):
            kept.append(option)
    return kept
