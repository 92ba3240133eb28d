"""From what a submission gave to what was mistaken in it.

A known mistake is an edit of the reference, and so a world of its own: it answers the same recorded calls. A function is
explained by an edit where the submission gave what that world gives in every call, and where that world is clearly not
the reference's in at least one of them. Where no single edit explains a function, pairs are composed; where none does,
the finding names the property that broke, on the smallest call that shows it.

No files, processes or clock: what is spent is counted in replays of composed pairs.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from autograder.calls import Outcome, Status
from autograder.compare import CLEARLY, Expected, apart, difference
from autograder.model import Case, Finding, Message, Mistake, NamedMistake


class World(Protocol):
    """A mistaken world, which can be asked any recorded call."""

    def outcome(self, test: str, index: int) -> Outcome:
        """What it gives to call `index` of a test."""


Replay = Callable[[Sequence[Case]], World]


@dataclass(frozen=True, slots=True)
class Observation:
    """One recorded call: what the submission gave and what the reference gives."""

    key: str  # the run of the test
    index: int
    test: str
    seen: Outcome
    expected: Expected
    size: int  # numbers in its arguments


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was seen of one function: its calls, and the tests that failed with their messages."""

    function: str
    observations: tuple[Observation, ...]
    failed: tuple[tuple[str, Message], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """One case of a mistake."""

    mistake: Mistake
    case: Case

    @property
    def named(self) -> NamedMistake:
        """As a finding carries it."""
        return NamedMistake(self.mistake.id, dict(self.case.parameters))


Explanation = tuple[Candidate, ...]


@dataclass
class Search:
    """Everything needed to explain functions one after the other. `budget` is how many pairs may be replayed."""

    mistakes: Sequence[Mistake]
    calls: dict[str, tuple[str, ...]]
    replay: Replay
    budget: int = 200

    def candidates(self, function: str) -> list[Candidate]:
        """The edits that lie in a function or in what it uses."""
        reached = self.calls.get(function, (function,))
        return [
            Candidate(mistake, case)
            for mistake in self.mistakes
            if not mistake.retired
            for case in mistake.cases
            if case.function in reached
        ]

    def explanations(self, evidence: Evidence) -> list[Explanation]:
        """The smallest explanations of a function: singles, else pairs."""
        ordered = sorted(evidence.observations, key=lambda o: difference(o.seen, o.expected) is None)
        singles = [(c,) for c in self.candidates(evidence.function) if self._explains((c,), ordered)]
        return singles or list(self._pairs(evidence.function, ordered))

    def _explains(self, explanation: Explanation, observations: Sequence[Observation]) -> bool:
        """Agreement in every call, and a clear difference from the reference in one that returned."""
        world = self.replay([candidate.case for candidate in explanation])
        clear = False
        for seen in observations:
            given = world.outcome(seen.key, seen.index)
            if apart(seen.seen, given, seen.expected) > 1.0:
                return False
            clear = clear or _is_clear(given, seen.expected)
        return clear

    def _pairs(self, function: str, observations: Sequence[Observation]) -> Iterator[Explanation]:
        """Pairs of edits that, composed, explain a function; pruned by what each does alone."""
        wrong = _mask(difference(o.seen, o.expected) is not None for o in observations)
        solos = [self._solo(candidate, observations) for candidate in self.candidates(function)]
        useful = [solo for solo in solos if solo.acts]
        for one, other in itertools.combinations(useful, 2):
            if one.candidate.mistake.id == other.candidate.mistake.id or not _plausible(one, other, wrong):
                continue
            if _overlap(one.candidate.case, other.candidate.case) or self.budget <= 0:
                continue
            self.budget -= 1
            if self._explains((one.candidate, other.candidate), observations):
                yield (one.candidate, other.candidate)

    def _solo(self, candidate: Candidate, observations: Sequence[Observation]) -> Solo:
        world = self.replay([candidate.case])
        given = [world.outcome(o.key, o.index) for o in observations]
        acts = _mask(apart(g, o.expected.plain, o.expected) > 1.0 for g, o in zip(given, observations, strict=True))
        agrees = _mask(apart(o.seen, g, o.expected) <= 1.0 for g, o in zip(given, observations, strict=True))
        return Solo(candidate, acts, agrees)


@dataclass(frozen=True, slots=True)
class Solo:
    """What an edit does alone, as bits over the observations: where it changes anything, where the submission agrees."""

    candidate: Candidate
    acts: int
    agrees: int


def _mask(flags: Iterable[bool]) -> int:
    return sum(1 << index for index, flag in enumerate(flags) if flag)


def _plausible(one: Solo, other: Solo, wrong: int) -> bool:
    """Where only one of two edits acts, the submission must agree with it; where neither does, with the reference."""
    only_one, only_other = one.acts & ~other.acts, other.acts & ~one.acts
    return not (only_one & ~one.agrees or only_other & ~other.agrees or wrong & ~(one.acts | other.acts))


def _overlap(one: Case, other: Case) -> bool:
    return any(a.start < b.end and b.start < a.end for a in one.edits for b in other.edits)


def _is_clear(given: Outcome, expected: Expected) -> bool:
    """Exceptions alone never name, unless the reference raises there and this world does not."""
    if given.status is not Status.RETURNED:
        return expected.plain.status is not given.status and expected.plain.status is Status.RAISED
    return apart(given, expected.plain, expected) >= CLEARLY


# -------------------------------------------------------------------------------------------------- findings


def diagnose(evidence: Sequence[Evidence], search: Search) -> list[Finding]:
    """Findings for all failing functions, in teaching order; each mistake once, with all that it explains."""
    found = [(part, search.explanations(part)) for part in evidence]
    certain = {c.mistake.id for _, options in found if _agree_among_themselves(options) for e in options for c in e}
    named: dict[Explanation, list[Evidence]] = {}
    several: list[Finding] = []
    for part, options in found:
        best = _distinct(_most_shared(options, certain))
        if len(best) == 1:
            named.setdefault(_known_as(best[0], named), []).append(part)
        elif best:
            several.append(_one_of_finding(best, part))
    unknown = [part for part, options in found if not options]
    return [
        *(_named_finding(explanation, parts) for explanation, parts in _split(named).items()),
        *several,
        *(_unknown_finding(part) for part in _loudest(unknown, search.calls)),
    ]


def _agree_among_themselves(options: list[Explanation]) -> bool:
    return len(_distinct(options)) == 1


def _most_shared(options: list[Explanation], certain: set[str]) -> list[Explanation]:
    """The explanations that use most of what is certain elsewhere: one mistake rather than two."""
    shares = [sum(candidate.mistake.id in certain for candidate in explanation) for explanation in options]
    return [e for e, share in zip(options, shares, strict=True) if share == max(shares)]


def _distinct(options: list[Explanation]) -> list[Explanation]:
    """One of each meaning: twins, and members of one family that no call here tells apart, count as one."""
    distinct: list[Explanation] = []
    for explanation in options:
        if not any(_same_meaning(explanation, other) for other in distinct):
            distinct.append(explanation)
    return distinct


def _known_as(explanation: Explanation, named: dict[Explanation, list[Evidence]]) -> Explanation:
    """The same explanation as named for an earlier function, so that it stands once."""
    return next((known for known in named if _same_meaning(known, explanation)), explanation)


def _same_meaning(one: Explanation, other: Explanation) -> bool:
    return len(one) == len(other) and all(
        any(_twins(a.mistake, b.mistake) for b in other) for a in one
    )


def _twins(one: Mistake, other: Mistake) -> bool:
    return one.id == other.id or one.id in other.looks_like or other.id in one.looks_like


def _split(named: dict[Explanation, list[Evidence]]) -> dict[Explanation, list[Evidence]]:
    """A pair of which one part explains other functions alone becomes two findings."""
    result: dict[Explanation, list[Evidence]] = {}
    alone = {explanation[0].mistake.id: explanation for explanation in named if len(explanation) == 1}
    for explanation, parts in named.items():
        known = [alone[c.mistake.id] for c in explanation if c.mistake.id in alone]
        rest = tuple(c for c in explanation if c.mistake.id not in alone)
        for key in [*known, *([rest] if rest else [])]:
            result.setdefault(key, []).extend(part for part in parts if part not in result.get(key, []))
    return result


def _named_finding(explanation: Explanation, parts: Sequence[Evidence]) -> Finding:
    return Finding(_functions(parts), _tests(parts), mistakes=tuple(candidate.named for candidate in explanation))


def _one_of_finding(explanations: Sequence[Explanation], part: Evidence) -> Finding:
    ids = {candidate.mistake.id: candidate.named for explanation in explanations for candidate in explanation}
    return Finding((part.function,), _tests([part]), one_of=tuple(ids.values()))


def _functions(parts: Sequence[Evidence]) -> tuple[str, ...]:
    return tuple(part.function for part in parts)


def _tests(parts: Sequence[Evidence]) -> tuple[str, ...]:
    return tuple(test for part in parts for test, _ in part.failed)


# --------------------------------------------------------------------------------------------------- unknowns


def _loudest(unknown: Sequence[Evidence], calls: dict[str, tuple[str, ...]]) -> list[Evidence]:
    """An unexplained function silences those that use it: what they show may be its doing."""
    names = {part.function for part in unknown}
    return [part for part in unknown if not names & set(calls.get(part.function, ())) - {part.function}]


def _unknown_finding(part: Evidence) -> Finding:
    return Finding((part.function,), _tests([part]), property=broken_property(part))


def broken_property(part: Evidence) -> Message:
    """The property that broke: what a test asserts, else how the smallest differing call differs."""
    asserted = next((message for _, message in part.failed if message.id == "property"), None)
    wrong = [(o, message) for o in part.observations if (message := difference(o.seen, o.expected)) is not None]
    if not wrong:
        return asserted or part.failed[0][1]
    smallest, message = min(wrong, key=lambda pair: pair[0].size)
    test = asserted.with_["test"] if asserted else smallest.test
    return Message("property", {"test": test, "shown_by": smallest.test, "kind": message.id, **message.with_})
