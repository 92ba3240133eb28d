"""The search for edits whose world gives what a submission gave."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.compare import CLEARLY, Given, Signature, alike, apart
from autograder.diagnose.evidence import Candidate, Evidence, Explanation, Observation, Replay, distinct, overlap
from autograder.model import Mistake

SHARE_EXPLAINED = 0.7  # of the wrong calls of a function, at least, for a mistake to be named that leaves some
LEAST_EXPLAINED = 3
SURPRISES_TRIED = 60  # pairs that would do somewhere what neither edit does alone


@dataclass(frozen=True, slots=True)
class Solo:
    """What one more edit does to a base: bits over all parts of all answers, and over the calls."""

    candidate: Candidate
    acts: int  # parts in which it changes the reference's answer
    agrees: int  # parts in which the submission gives the same
    kinds: int  # calls in which the submission's answer is of the same kind


@dataclass
class Search:
    """Explains functions one by one. `calls` says what each uses; `budget` is how many pairs may be replayed."""

    mistakes: Sequence[Mistake]
    calls: Mapping[str, tuple[str, ...]]
    replay: Replay
    budget: int = 200
    generated: Callable[[], Sequence[Mistake]] = tuple  # asked only where no authored mistake explains

    def explanations(self, evidence: Evidence, known: Explanation) -> list[Explanation]:
        """The smallest explanations of a function; `known` is what explains the functions that it uses.

        In order: what is known already and nothing else; one edit by itself; one more than known; two; two more; a
        generated edit.
        """
        observed = _hardest_first(evidence)
        if known and self._explains(known, observed, clearly=False):
            return [known]
        if not observed or observed[0].message is None or not observed[0].seen.returned:
            return []  # exceptions alone never name, so no other world needs to be asked
        candidates = self._candidates(evidence.function, self.mistakes)
        bases = _bases(known)
        for base in bases:
            singles = [found for c in candidates if (found := _joined(base, c)) and self._explains(found, observed)]
            if singles:
                return singles
        pairs = next((pairs for base in bases if (pairs := list(self._pairs(base, candidates, observed)))), [])
        return pairs or self._generated(bases, evidence.function, observed)

    def nearly(self, evidence: Evidence, known: Explanation) -> tuple[Explanation, Evidence] | None:
        """A mistake that explains nearly all that is wrong, and what it leaves; None where that is not clear.

        It must contradict nothing that is right, and give exactly what the submission gives in most calls that are
        wrong. A slip elsewhere then does not hide it.
        """
        candidates = self._candidates(evidence.function, self.mistakes)
        joined = [found for base in _bases(known) for c in candidates if (found := _joined(base, c))]
        rated = [(len(left), found, left) for found in joined if (left := self._left_by(found, evidence)) is not None]
        if not rated:
            return None
        least = min(count for count, _, _ in rated)
        best = [(found, left) for count, found, left in rated if count == least]
        if len(distinct([found for found, _ in best])) > 1:
            return None
        return best[0][0], evidence.only(best[0][1])

    def _left_by(self, explanation: Explanation, evidence: Evidence) -> list[Observation] | None:
        """The wrong calls that an explanation leaves unexplained; None where it contradicts, or leaves too much."""
        world = self.replay([candidate.case for candidate in explanation])
        wrong = [o for o in evidence.observations if o.message is not None]
        most_left = len(wrong) - max(LEAST_EXPLAINED, math.ceil(SHARE_EXPLAINED * len(wrong)))
        left: list[Observation] = []
        clear = False
        for call in _hardest_first(evidence):
            given = world.gives(call.key, call.index)
            if apart(call.seen, given) <= 1.0:
                clear = clear or _is_clear(given, call.reference)
            elif call.message is None or len(left) >= most_left:
                return None
            else:
                left.append(call)
        return left if clear else None

    def _candidates(self, function: str, mistakes: Sequence[Mistake]) -> list[Candidate]:
        """The edits that lie in a function or in what it uses."""
        reached = self.calls.get(function, (function,))
        active = [mistake for mistake in mistakes if not mistake.retired]
        return [Candidate(m, case) for m in active for case in m.cases if case.function in reached]

    def _generated(
        self, bases: Sequence[Explanation], function: str, observed: Sequence[Observation]
    ) -> list[Explanation]:
        """The first generated edit of the function itself that explains it: all that do give the same."""
        candidates = [c for c in self._candidates(function, self.generated()) if c.case.function == function]
        joined = (found for base in bases for c in candidates if (found := _joined(base, c)))
        return next(([found] for found in joined if self._explains(found, observed)), [])

    def _explains(self, explanation: Explanation, observed: Sequence[Observation], *, clearly: bool = True) -> bool:
        """Agreement in every call, and a clear difference from the reference in one that returned.

        Where the mistakes are shown elsewhere already, agreement is enough: they may only raise here.
        """
        world = self.replay([candidate.case for candidate in explanation])
        clear = not clearly
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
        wrong = _bits(not part for o in observed for part in alike(o.seen, o.reference))
        solos = [solo for c in candidates if (solo := self._solo(base, c, observed)) and solo.acts]
        for one, other in _likely(solos, wrong):
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
        given = [(o, world.gives(o.key, o.index)) for o in observed]
        acts = _bits(part for o, g in given for part in _action(o, g))
        agrees = _bits(part for o, g in given for part in _agreement(o, g))
        kinds = _bits(isinstance(g, Signature) and o.seen.is_of_kind(g) for o, g in given)
        return Solo(candidate, acts, agrees, kinds)


def _agreement(call: Observation, given: Given) -> tuple[bool, ...]:
    """For each part of the reference's answer, whether the submission gives what a world gives."""
    if isinstance(given, Signature) and given.is_of_kind(call.reference):
        return alike(call.seen, given)
    return (apart(call.seen, given) <= 1.0,) * len(call.reference.parts)


def _action(call: Observation, given: Given) -> tuple[bool, ...]:
    """For each part of the reference's answer, whether a world gives another."""
    if isinstance(given, Signature):
        return tuple(not part for part in alike(given, call.reference))
    return (apart(given, call.reference) > 1.0,) * len(call.reference.parts)


def _bases(known: Explanation) -> list[Explanation]:
    """What further edits are added to: nothing, and what is known already."""
    return [(), known] if known else [()]


def _hardest_first(evidence: Evidence) -> list[Observation]:
    """The calls in the order in which an explanation fails soonest: wrong ones that returned, then other wrong ones."""
    return sorted(evidence.observations, key=lambda o: (o.message is None, not o.seen.returned))


def _joined(base: Explanation, candidate: Candidate) -> Explanation | None:
    """One edit more; None where it cannot be made beside the others, or is one of them."""
    if any(candidate.means(other) or overlap(candidate.case, other.case) for other in base):
        return None
    return (*base, candidate)


def _bits(flags: Iterable[bool]) -> int:
    return sum(1 << index for index, flag in enumerate(flags) if flag)


def _likely(solos: Sequence[Solo], wrong: int) -> Iterator[tuple[Solo, Solo]]:
    """Pairs worth composing: those without surprises, then some of those in which one edit explains much by itself."""
    plain: list[tuple[tuple[int, int], Solo, Solo]] = []
    surprising: list[tuple[tuple[int, int], Solo, Solo]] = []
    for one, other in itertools.combinations(solos, 2):
        if one.candidate.means(other.candidate):
            continue
        surprises = _surprises(one, other, wrong)
        if not surprises:
            unexplained = (wrong & ~(one.agrees | other.agrees)).bit_count()
            plain.append(((-(one.kinds | other.kinds).bit_count(), unexplained), one, other))
        elif explained := _explained_by_one(one, other, wrong):
            surprising.append(((-explained, surprises), one, other))
    for pairs, most in ((plain, len(plain)), (surprising, SURPRISES_TRIED)):
        yield from ((one, other) for _, one, other in sorted(pairs, key=lambda pair: pair[0])[:most])


def _surprises(one: Solo, other: Solo, wrong: int) -> int:
    """In how many parts a pair would have to give what neither suggests alone.

    Where only one of two edits acts, the submission should agree with it; where neither does, with the reference. But
    an edit may act only where the other has: a wrong exponent changes nothing at position 0, unless counting starts
    at 1; what goes wrong in rows that see nothing goes wrong in columns once the softmax runs down them.
    """
    only_one, only_other = one.acts & ~other.acts, other.acts & ~one.acts
    strange = only_one & ~one.agrees | only_other & ~other.agrees | wrong & ~(one.acts | other.acts)
    return strange.bit_count()


def _explained_by_one(one: Solo, other: Solo, wrong: int) -> int:
    """How many wrong parts the better of two edits explains, if the other acts on what is left."""
    best, rest = sorted((one, other), key=lambda solo: -(wrong & solo.agrees).bit_count())
    left = wrong & ~best.agrees
    explained = wrong & best.agrees
    return explained.bit_count() if left & rest.acts else 0


def _is_clear(given: Given, reference: Signature) -> bool:
    """Exceptions alone never name."""
    return given.returned and apart(given, reference) >= CLEARLY
