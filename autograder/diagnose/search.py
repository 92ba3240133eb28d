"""The search for edits whose world gives what a submission gave."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.compare import CLEARLY, Given, Signature, apart
from autograder.diagnose.conditions import condition_of
from autograder.diagnose.evidence import Candidate, Evidence, Explanation, Observation, Replay, distinct, overlap
from autograder.diagnose.likely import Solo, likely, solo, wrong_parts
from autograder.diagnose.regions import is_mixture, regions_of
from autograder.model import Case, Mistake

SHARE_EXPLAINED = 0.7  # of the wrong calls of a function, at least, for a mistake to be named that leaves some
LEAST_EXPLAINED = 3
LOOKED_AT = 12  # calls by which edits are ranked that are added to a known mistake: no class asks for those again
TRIED_BESIDE_KNOWN = 100  # pairs composed with what is known already: three mistakes at once


@dataclass
class Search:
    """Explains functions one by one. `calls` says what each uses; `budget` is how many pairs may be replayed.

    `heeds` says whether all that matters to the reference in a test's run still matters in the world of some cases, in
    some run of the same function.
    """

    mistakes: Sequence[Mistake]
    calls: Mapping[str, tuple[str, ...]]
    replay: Replay
    heeds: Callable[[Sequence[Case], str, Sequence[str]], bool]
    budget: int = 800
    generated: Callable[[], Sequence[Mistake]] = tuple  # asked only where no authored mistake explains

    def explanations(self, evidence: Evidence, known: Explanation) -> list[Explanation]:
        """The smallest explanations of a function; `known` is what explains the functions that it uses.

        In order: what is known already and nothing else; one edit by itself; one more than known; two; two more; a
        generated edit; one edit in some calls, or a region of the answers; one that a generated edit completes.
        """
        observed = _hardest_first(evidence)
        if known and self._continues(known, observed):
            return [known]
        known = tuple(candidate for candidate in known if not candidate.region)  # no world of its own to add to
        if not observed or observed[0].message is None or not observed[0].seen.returned:
            return []  # exceptions alone never name, so no other world needs to be asked
        return next(filter(None, self._stages(evidence.function, _bases(known), observed)), [])

    def _continues(self, known: Explanation, observed: Sequence[Observation]) -> bool:
        """Whether what is known of the functions that are used explains this one too: then it may merely raise here."""
        if any(candidate.region for candidate in known):
            return is_mixture(self.replay([candidate.case for candidate in known]), observed)
        return self._explains(known, observed, clearly=False)

    def _stages(
        self, function: str, bases: Sequence[Explanation], observed: Sequence[Observation]
    ) -> Iterator[list[Explanation]]:
        """What each step of the search finds, from the smallest explanation to the largest."""
        authored = self._candidates(function, self.mistakes)
        yield from (self._singles(base, authored, observed) for base in bases)
        solos = {base: self._solos(base, authored, observed) for base in bases}
        yield from (self._composed(base, itertools.combinations(solos[base], 2), observed) for base in bases)
        own = [c for c in self._candidates(function, self.generated()) if c.case.function == function]
        yield from (self._singles(base, own, observed)[:1] for base in bases)  # all that explain give the same
        yield self._in_regions(authored, observed)
        yield from (self._completed(base, solos[base], own, observed)[:1] for base in bases)

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
        """The wrong calls that an explanation leaves unexplained; None where it contradicts, or leaves too much.

        Another error than the one asked for is a matter of its own: it is left, and does not count.
        """
        world = self.replay([candidate.case for candidate in explanation])
        wrong = [o for o in evidence.observations if o.message is not None and _counts(o)]
        most_left = len(wrong) - max(LEAST_EXPLAINED, math.ceil(SHARE_EXPLAINED * len(wrong)))
        left: list[Observation] = []
        clear = False
        for call in _hardest_first(evidence):
            given = world.gives(call.key, call.index)
            if apart(call.seen, given) <= 1.0:
                clear = clear or _is_clear(given, call.reference)
            elif call.message is None or (_counts(call) and sum(map(_counts, left)) >= most_left):
                return None
            else:
                left.append(call)
        return left if clear else None

    def _candidates(self, function: str, mistakes: Sequence[Mistake]) -> list[Candidate]:
        """The edits that lie in a function or in what it uses."""
        reached = self.calls.get(function, (function,))
        active = [mistake for mistake in mistakes if not mistake.retired]
        return [Candidate(m, case) for m in active for case in m.cases if case.function in reached]

    def _singles(
        self, base: Explanation, candidates: Sequence[Candidate], observed: Sequence[Observation]
    ) -> list[Explanation]:
        """One edit more that explains a function."""
        return [found for c in candidates if (found := _joined(base, c)) and self._explains(found, observed)]

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

    def _composed(
        self, base: Explanation, pairs: Iterable[tuple[Solo, Solo]], observed: Sequence[Observation]
    ) -> list[Explanation]:
        """Pairs of edits that, composed, explain a function; the likeliest by what each does alone are tried."""
        explain: list[Explanation] = []
        ranked = likely(pairs, wrong_parts(_looked_at(base, observed)))
        for one, other in itertools.islice(ranked, TRIED_BESIDE_KNOWN if base else None):
            found = _joined((*base, one.candidate), other.candidate)
            if not found or self.budget <= 0:
                continue
            self.budget -= 1
            if self._explains(found, observed):
                explain.append(found)
        return explain

    def _completed(
        self, base: Explanation, solos: Sequence[Solo], own: Sequence[Candidate], observed: Sequence[Observation]
    ) -> list[Explanation]:
        """Known mistakes that show by themselves, each with a generated edit that explains the rest."""
        wrong = wrong_parts(_looked_at(base, observed))
        shown = [one for one in solos if (one.acts & one.agrees & wrong).bit_count() >= LEAST_EXPLAINED]
        rest = self._solos(base, own, observed) if shown else []
        return self._composed(base, itertools.product(shown, rest), observed)

    def _in_regions(self, candidates: Sequence[Candidate], observed: Sequence[Observation]) -> list[Explanation]:
        """Known mistakes that were made in some calls only, or in a part of every answer only."""
        worlds = [(candidate, self.replay([candidate.case])) for candidate in candidates]
        found = [(candidate, condition_of(world, observed)) for candidate, world in worlds]
        if all(region is None for _, region in found):
            found = [(candidate, next(iter(regions_of(world, observed)), None)) for candidate, world in worlds]
        return [(replace(candidate, region=region),) for candidate, region in found if region is not None]

    def _solos(self, base: Explanation, candidates: Sequence[Candidate], observed: Sequence[Observation]) -> list[Solo]:
        """What each edit does to a base, of those that do anything."""
        joined = [(candidate, found) for candidate in candidates if (found := _joined(base, candidate))]
        calls = _looked_at(base, observed)
        solos = [solo(one, self.replay([part.case for part in found]), calls) for one, found in joined]
        return [one for one in solos if one.acts]


def _counts(call: Observation) -> bool:
    return call.seen.returned or call.reference.returned


def _looked_at(base: Explanation, observed: Sequence[Observation]) -> Sequence[Observation]:
    """The calls by which edits are ranked; those that tell most come first."""
    return observed[:LOOKED_AT] if base else observed


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


def _is_clear(given: Given, reference: Signature) -> bool:
    """Exceptions alone never name."""
    return given.returned and apart(given, reference) >= CLEARLY
