"""Which two edits to compose first: the likeliest by what each of them does alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from autograder.compare import Given, Signature, alike, apart
from autograder.diagnose.evidence import Candidate, Observation, World

PLAIN_TRIED = 500  # pairs in which each edit does what it does alone
SURPRISES_TRIED = 300  # pairs that would do somewhere what neither edit does alone
FREQUENCIES = ("very common", "common", "rare")


@dataclass(frozen=True, slots=True)
class Solo:
    """What one more edit does to a base: bits over all parts of all answers, and over the calls."""

    candidate: Candidate
    acts: int  # parts in which it changes the reference's answer
    agrees: int  # parts in which the submission gives the same
    kinds: int  # calls in which the submission's answer is of the same kind

    @property
    def rarity(self) -> int:
        """0 for what people write most often."""
        return FREQUENCIES.index(self.candidate.mistake.frequency)


def solo(candidate: Candidate, world: World, observed: Sequence[Observation]) -> Solo:
    """What the world of a candidate has in common with a submission."""
    given = [(o, world.gives(o.key, o.index)) for o in observed]
    acts = _bits(part for o, g in given for part in _action(o, g))
    agrees = _bits(part for o, g in given for part in _agreement(o, g))
    kinds = _bits(isinstance(g, Signature) and o.seen.is_of_kind(g) for o, g in given)
    return Solo(candidate, acts, agrees, kinds)


def wrong_parts(observed: Sequence[Observation]) -> int:
    """The parts of all answers in which a submission differs from the reference."""
    return _bits(not part for o in observed for part in alike(o.seen, o.reference))


def likely(pairs: Iterable[tuple[Solo, Solo]], wrong: int) -> Iterator[tuple[Solo, Solo]]:
    """Pairs worth composing: those without surprises, then those in which one edit explains much by itself."""
    plain: list[tuple[tuple[int, ...], Solo, Solo]] = []
    surprising: list[tuple[tuple[int, ...], Solo, Solo]] = []
    for one, other in pairs:
        if one.candidate.means(other.candidate):
            continue
        rarity = one.rarity + other.rarity
        surprises = _surprises(one, other, wrong)
        if not surprises:
            unexplained = (wrong & ~(one.agrees | other.agrees)).bit_count()
            plain.append(((-(one.kinds | other.kinds).bit_count(), unexplained, rarity), one, other))
        elif explained := _explained_by_one(one, other, wrong):
            surprising.append(((-explained, surprises, rarity), one, other))
    for listed, most in ((plain, PLAIN_TRIED), (surprising, SURPRISES_TRIED)):
        yield from ((one, other) for _, one, other in sorted(listed, key=lambda pair: pair[0])[:most])


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


def _bits(flags: Iterable[bool]) -> int:
    return sum(1 << index for index, flag in enumerate(flags) if flag)
