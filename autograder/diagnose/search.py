"""The search for edits whose world gives what a submission gave."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.calls import Outcome, Status
from autograder.compare import CLEARLY, Expected, apart, difference
from autograder.diagnose.evidence import Candidate, Evidence, Explanation, Observation, Replay
from autograder.model import Mistake


@dataclass(frozen=True, slots=True)
class Solo:
    """What one more edit does to a base, as bits over the observations: where it acts, where the submission agrees."""

    candidate: Candidate
    acts: int
    agrees: int


@dataclass
class Search:
    """Explains functions one by one. `calls` says what each uses; `budget` is how many pairs may be replayed."""

    mistakes: Sequence[Mistake]
    calls: Mapping[str, tuple[str, ...]]
    replay: Replay
    budget: int = 200

    def explanations(self, evidence: Evidence, known: Explanation) -> list[Explanation]:
        """The smallest explanations of a function; `known` is what explains the functions that it uses.

        In order: what is known already and nothing else; one edit by itself; one more than known; two; two more.
        """
        observed = sorted(evidence.observations, key=lambda o: difference(o.seen, o.expected) is None)
        candidates = self._candidates(evidence.function)
        bases: list[Explanation] = [(), known] if known else [()]
        if known and self._explains(known, observed):
            return [known]
        for base in bases:
            singles = [found for c in candidates if (found := _joined(base, c)) and self._explains(found, observed)]
            if singles:
                return singles
        return next((pairs for base in bases if (pairs := list(self._pairs(base, candidates, observed)))), [])

    def _candidates(self, function: str) -> list[Candidate]:
        """The edits that lie in a function or in what it uses."""
        reached = self.calls.get(function, (function,))
        active = [mistake for mistake in self.mistakes if not mistake.retired]
        return [Candidate(m, case) for m in active for case in m.cases if case.function in reached]

    def _explains(self, explanation: Explanation, observed: Sequence[Observation]) -> bool:
        """Agreement in every call, and a clear difference from the reference in one that returned."""
        world = self.replay([candidate.case for candidate in explanation])
        clear = False
        for call in observed:
            given = world.outcome(call.key, call.index)
            if apart(call.seen, given, call.expected) > 1.0:
                return False
            clear = clear or _is_clear(given, call.expected)
        return clear

    def _pairs(
        self, base: Explanation, candidates: Sequence[Candidate], observed: Sequence[Observation]
    ) -> Iterator[Explanation]:
        """Pairs of edits that, composed, explain a function; pruned by what each does alone."""
        wrong = _bits(difference(o.seen, o.expected) is not None for o in observed)
        solos = [solo for c in candidates if (solo := self._solo(base, c, observed)) and solo.acts]
        for one, other in itertools.combinations(solos, 2):
            if one.candidate.means(other.candidate) or not _plausible(one, other, wrong):
                continue
            found = _joined((*base, one.candidate), other.candidate)
            if not found or self.budget <= 0:
                continue
            self.budget -= 1
            if self._explains(found, observed):
                yield found

    def _solo(self, base: Explanation, candidate: Candidate, observed: Sequence[Observation]) -> Solo | None:
        found = _joined(base, candidate)
        if not found:
            return None
        world = self.replay([part.case for part in found])
        given = [(o, world.outcome(o.key, o.index)) for o in observed]
        acts = _bits(apart(g, o.expected.plain, o.expected) > 1.0 for o, g in given)
        agrees = _bits(apart(o.seen, g, o.expected) <= 1.0 for o, g in given)
        return Solo(candidate, acts, agrees)


def _joined(base: Explanation, candidate: Candidate) -> Explanation | None:
    """One edit more; None where it cannot be made beside the others, or is one of them."""
    if any(candidate.means(other) or candidate.overlaps(other) for other in base):
        return None
    return (*base, candidate)


def _bits(flags: Iterable[bool]) -> int:
    return sum(1 << index for index, flag in enumerate(flags) if flag)


def _plausible(one: Solo, other: Solo, wrong: int) -> bool:
    """Where only one of two edits acts, the submission must agree with it; where neither does, with the reference."""
    only_one, only_other = one.acts & ~other.acts, other.acts & ~one.acts
    return not (only_one & ~one.agrees or only_other & ~other.agrees or wrong & ~(one.acts | other.acts))


def _is_clear(given: Outcome, expected: Expected) -> bool:
    """Exceptions alone never name, unless the reference raises there and this world does not."""
    if given.status is not Status.RETURNED:
        return False
    return apart(given, expected.plain, expected) >= CLEARLY
