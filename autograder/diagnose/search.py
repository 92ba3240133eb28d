"""The search for edits whose world gives what a submission gave."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.compare import CLEARLY, Signature, apart
from autograder.diagnose.evidence import Candidate, Evidence, Explanation, Observation, Replay
from autograder.model import Mistake

SURPRISES = 2  # calls in which a pair may do what neither of its edits does alone
SURPRISES_TRIED = 24  # pairs of that kind that are composed and asked


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
        observed = sorted(evidence.observations, key=lambda o: o.message is None)
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
            given = world.gives(call.key, call.index)
            if apart(call.seen, given) > 1.0:
                return False
            clear = clear or _is_clear(given, call.reference)
        return clear

    def _pairs(
        self, base: Explanation, candidates: Sequence[Candidate], observed: Sequence[Observation]
    ) -> Iterator[Explanation]:
        """Pairs of edits that, composed, explain a function; the likeliest by what each does alone come first."""
        wrong = _bits(o.message is not None for o in observed)
        solos = [solo for c in candidates if (solo := self._solo(base, c, observed)) and solo.acts]
        tried = sorted(self._likely(solos, wrong), key=lambda pair: pair[0])
        surprising = [pair for pair in tried if pair[0] > 0][:SURPRISES_TRIED]
        for _, one, other in [*(pair for pair in tried if pair[0] == 0), *surprising]:
            found = _joined((*base, one.candidate), other.candidate)
            if not found or self.budget <= 0:
                continue
            self.budget -= 1
            if self._explains(found, observed):
                yield found

    @staticmethod
    def _likely(solos: Sequence[Solo], wrong: int) -> Iterator[tuple[int, Solo, Solo]]:
        for one, other in itertools.combinations(solos, 2):
            surprises = _surprises(one, other, wrong)
            if surprises <= SURPRISES and not one.candidate.means(other.candidate):
                yield surprises, one, other

    def _solo(self, base: Explanation, candidate: Candidate, observed: Sequence[Observation]) -> Solo | None:
        found = _joined(base, candidate)
        if not found:
            return None
        world = self.replay([part.case for part in found])
        given = [(o, world.gives(o.key, o.index)) for o in observed]
        acts = _bits(apart(g, o.reference) > 1.0 for o, g in given)
        agrees = _bits(apart(o.seen, g) <= 1.0 for o, g in given)
        return Solo(candidate, acts, agrees)


def _joined(base: Explanation, candidate: Candidate) -> Explanation | None:
    """One edit more; None where it cannot be made beside the others, or is one of them."""
    if any(candidate.means(other) or candidate.overlaps(other) for other in base):
        return None
    return (*base, candidate)


def _bits(flags: Iterable[bool]) -> int:
    return sum(1 << index for index, flag in enumerate(flags) if flag)


def _surprises(one: Solo, other: Solo, wrong: int) -> int:
    """In how many calls a pair would have to give what neither suggests alone.

    Where only one of two edits acts, the submission should agree with it; where neither does, with the reference. But
    an edit may act only where the other has: a wrong exponent changes nothing at position 0, unless counting starts
    at 1.
    """
    only_one, only_other = one.acts & ~other.acts, other.acts & ~one.acts
    strange = only_one & ~one.agrees | only_other & ~other.agrees | wrong & ~(one.acts | other.acts)
    return strange.bit_count()


def _is_clear(given: Signature, reference: Signature) -> bool:
    """Exceptions alone never name."""
    return given.returned and apart(given, reference) >= CLEARLY
