"""Which tests follow from a mistake elsewhere: those that a function passes but for mistakes in what it uses.

One mistake costs once, so such tests are paid. They must still be tests, though: a mistake may leave nothing to do for
the functions that use it. Where every weight is the same, say, nobody needs to compute scores.
"""

from __future__ import annotations

import numpy as np

from autograder.diagnose.evidence import Evidence, Explanation, Observation
from autograder.diagnose.search import Search


def following(part: Evidence, explanation: Explanation, search: Search) -> list[str]:
    """The failed tests of a function that does its own part: all that is wrong was made in functions that it uses.

    It must have shown that: nothing follows from calls that did not return, since whoever raises at once gives the
    same, or that gave no number at all; from a mistake that was made in some places only; or where calls are given
    something that matters to the reference and, in the mistaken world, in no call of the function.
    """
    if any(candidate.region or candidate.case.function == part.function for candidate in explanation):
        return []
    mistaken = [candidate.case for candidate in explanation]
    runs = list(dict.fromkeys(call.key for call in part.observations))
    wrong = [call for call in part.observations if call.message is not None]
    silent = {call.test for call in wrong if not _says_something(call)}
    for test, run in dict.fromkeys((call.test, call.key) for call in wrong):
        if test not in silent and not search.heeds(mistaken, run, runs):
            silent.add(test)
    return [test for test, _ in part.failed if test not in silent]


def _says_something(call: Observation) -> bool:
    numbers = call.seen.numbers
    return call.seen.returned and (not numbers.size or bool(np.isfinite(numbers).any()))
