"""Which tests follow from a mistake elsewhere: those that a function passes but for mistakes in what it uses.

One mistake costs once, so such tests are paid. They must still be tests, though: a mistake may leave nothing of the
functions that use it. Where a product gives its first factor, say, three products of x are x three times, which anybody
can return. So nothing follows from answers that are arguments of the call; and in the mistaken world, too, a function's
calls must tell right code from the function's own mistakes.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.compare import CLEARLY, apart
from autograder.diagnose.evidence import Evidence, Explanation, Observation, overlap
from autograder.diagnose.likely import FREQUENCIES
from autograder.diagnose.search import Search
from autograder.model import Case

MOST_ASKED = 12  # of a function's own mistakes, commonest first
LEAST_SHARE_TOLD = 0.5  # of those that its tests tell where all else is right


def following(part: Evidence, explanation: Explanation, search: Search) -> list[str]:
    """The failed tests of a function that does its own part: all that is wrong was made in functions that it uses.

    It must have shown that: nothing follows from calls that did not return, since whoever raises at once gives the
    same, from a mistake that was made in some places only, or from one in whose world the function's calls say little.
    """
    if any(candidate.region or candidate.case.function == part.function for candidate in explanation):
        return []
    if not _still_tells(part, [candidate.case for candidate in explanation], search):
        return []
    wrong = [call for call in part.observations if call.message is not None]
    silent = {call.test for call in wrong if call.hands_back or not call.seen.returned}
    return [test for test, _ in part.failed if test not in silent]


def _still_tells(part: Evidence, mistaken: Sequence[Case], search: Search) -> bool:
    """Whether a function's calls tell its own mistakes in a mistaken world as well, half of those they tell else."""
    own = [case for case in _own(part.function, search) if not any(overlap(case, other) for other in mistaken)]
    asked = [case for case in own if _tells(part.observations, [case], [], search)][:MOST_ASKED]
    told = sum(_tells(part.observations, [*mistaken, case], mistaken, search) for case in asked)
    return bool(asked) and told >= LEAST_SHARE_TOLD * len(asked)


def _own(function: str, search: Search) -> list[Case]:
    """One case of each known mistake that is made in a function itself, commonest first."""
    active = (mistake for mistake in search.mistakes if not mistake.retired)
    ranked = sorted(active, key=lambda mistake: FREQUENCIES.index(mistake.frequency))
    cases = ([case for case in mistake.cases if case.function == function] for mistake in ranked)
    return [found[0] for found in cases if found]


def _tells(calls: Sequence[Observation], cases: Sequence[Case], base: Sequence[Case], search: Search) -> bool:
    """Whether some call clearly gives something else with the edits of `cases` than with those of `base`."""
    world, plain = search.replay(cases), search.replay(base) if base else None
    return any(
        apart(world.gives(call.key, call.index), plain.gives(call.key, call.index) if plain else call.reference)
        >= CLEARLY
        for call in calls
    )
