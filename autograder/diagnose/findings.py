"""Findings from explanations: each mistake once, with all that it explains; what nothing explains by its property."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograder.compare import apart
from autograder.diagnose.evidence import Candidate, Evidence, Explanation, Observation, distinct
from autograder.diagnose.following import following
from autograder.diagnose.likely import FREQUENCIES
from autograder.diagnose.search import Search
from autograder.model import Finding, Message, NamedMistake

_ENDINGS = ("timeout", "crashed", "out-of-memory", "tampered")
_NUMBERS = ("values", "gradient")

Options = list[tuple[Evidence, list[Explanation]]]


def diagnose(evidence: Sequence[Evidence], search: Search) -> list[Finding]:
    """Findings for all failing functions, given in teaching order: what a function uses comes before it."""
    found: Options = []
    left: list[Evidence] = []
    for part in evidence:
        options, rest = _explained(part, found, search)
        found.append((part.without(rest) if rest else part, options))
        left.extend([rest] if rest else [])
    certain = [c for _, options in found if len(distinct(options)) == 1 for c in options[0]]
    best = [(part, distinct(_most_shared(options, certain))) for part, options in found]
    unknown = [*left, *(_beyond(part, found, search) for part, options in best if not options)]
    return [
        *_named([(part, options[0]) for part, options in best if len(options) == 1], search),
        *(_one_of(part, options) for part, options in best if len(options) > 1),
        *(_unknown(part) for part in _loudest(unknown, search.calls)),
    ]


def _explained(part: Evidence, found: Options, search: Search) -> tuple[list[Explanation], Evidence | None]:
    """The explanations of a function, and what they leave of it, if not all is explained."""
    known = _known(part.function, found, search.calls)
    uses = search.calls.get(part.function, ())
    options = _nearest(search.explanations(part, known), part.function, found, uses)
    if options or not (near := search.nearly(part, known)):
        return options, None
    options = _nearest([near[0]], part.function, found, uses)
    return options, near[1] if options else None


def _beyond(part: Evidence, found: Options, search: Search) -> Evidence:
    """What is wrong with a function beyond what the mistakes in those that it uses do to it, if that can be told."""
    known = tuple(candidate for candidate in _known(part.function, found, search.calls) if not candidate.region)
    world = search.replay([candidate.case for candidate in known]) if known else None
    wrong = [call for call in part.observations if call.message is not None]
    rest = [call for call in wrong if world and apart(call.seen, world.gives(call.key, call.index)) > 1.0]
    return part.only(rest) if rest and len(rest) < len(wrong) else part


def _known(function: str, found: Options, calls: Mapping[str, tuple[str, ...]]) -> Explanation:
    """What explains the functions that a function uses, each mistake once."""
    known: list[Candidate] = []
    for part, options in found:
        if part.function in calls.get(function, ()) and options:
            known.extend(c for c in options[0] if not any(c.means(other) for other in known))
    return tuple(known)


def _most_shared(options: list[Explanation], certain: Sequence[Candidate]) -> list[Explanation]:
    """The explanations that use most of what is certain elsewhere: one mistake rather than two."""
    shares = [sum(any(c.means(other) for other in certain) for c in explanation) for explanation in options]
    return [option for option, share in zip(options, shares, strict=True) if share == max(shares)]


def _nearest(options: list[Explanation], function: str, found: Options, uses: Sequence[str]) -> list[Explanation]:
    """Rather a mistake in the function itself, or one that explains the function in which it lies.

    What a function uses may give the same when mistaken. Where its own calls are right, that is second best: the
    mistake may have been written out here. Where its own calls are wrong in another way, it is not to blame; and where
    nothing explains them, all that uses it may be wrong for that reason, and no other mistake is blamed there.
    """
    shown = {part.function: known for part, known in found}
    unclear = any(name in shown and not shown[name] for name in uses)

    def explains_elsewhere(candidate: Candidate) -> bool:
        return any(candidate.means(c) for known in shown.get(candidate.case.function, []) for c in known)

    def near(candidate: Candidate) -> bool:
        return explains_elsewhere(candidate) or (candidate.case.function == function and not unclear)

    best = [option for option in options if all(map(near, option))]
    if best or unclear:
        return best
    return [option for option in options if all(near(c) or c.case.function not in shown for c in option)]


def _named(explained: Sequence[tuple[Evidence, Explanation]], search: Search) -> list[Finding]:
    """One finding for each mistake; mistakes that always come together share one."""
    parts: dict[Candidate, list[tuple[Evidence, Explanation]]] = {}
    for part, explanation in explained:
        for candidate in explanation:
            key = next((known for known in parts if known.means(candidate)), candidate)
            parts.setdefault(key, []).append((part, explanation))
    together: dict[tuple[str, ...], list[Candidate]] = {}
    for candidate, where in parts.items():
        together.setdefault(tuple(part.function for part, _ in where), []).append(candidate)
    return [
        Finding(
            functions,
            _tests([part for part, _ in parts[candidates[0]]]),
            mistakes=tuple(candidate.named for candidate in candidates),
            follows=tuple(test for part, known in parts[candidates[0]] for test in following(part, known, search)),
        )
        for functions, candidates in together.items()
    ]


def _one_of(part: Evidence, options: Sequence[Explanation]) -> Finding:
    """The commonest first, and a mistake as such before a member of a family: the first one's hint is shown."""
    candidates = [candidate for explanation in options for candidate in explanation]
    candidates.sort(key=lambda c: (FREQUENCIES.index(c.mistake.frequency), bool(c.case.parameters)))
    named: dict[str, NamedMistake] = {}
    for candidate in candidates:
        named.setdefault(candidate.mistake.id, candidate.named)
    return Finding((part.function,), _tests([part]), one_of=tuple(named.values()))


def _tests(parts: Sequence[Evidence]) -> tuple[str, ...]:
    return tuple(test for part in parts for test, _ in part.failed)


def _loudest(unknown: Sequence[Evidence], calls: Mapping[str, tuple[str, ...]]) -> list[Evidence]:
    """An unexplained function silences those that use it: what they show may be its doing."""
    names = {part.function for part in unknown}
    return [part for part in unknown if not names & set(calls.get(part.function, ())) - {part.function}]


def _unknown(part: Evidence) -> Finding:
    return Finding((part.function,), _tests([part]), property=broken_property(part))


def broken_property(part: Evidence) -> Message:
    """The property that broke, told as truly as it can be.

    How a call ended, if it did not come back; what a test asserts; else how the smallest differing call of the first
    failing test differs, where numbers alone differ by the sentence of its test: tests go from the general to the
    particular, and what breaks the general one is not told by its dtype or its sizes.
    """
    tests = [test for test, _ in part.failed]  # a test that leaves the dtype to others passes in spite of it
    wrong = [(o, o.message) for o in part.observations if o.message is not None and o.test in tests]
    asserted = next((message for _, message in part.failed if message.id == "property"), None)
    if not wrong:
        return asserted or part.failed[0][1]
    ended = [pair for pair in wrong if pair[1].id in _ENDINGS]
    smallest, message = min(ended or wrong, key=lambda pair: _telling(pair[0], pair[1], tests))
    shown = {"shown_by": smallest.test, **message.with_}
    if asserted and not ended:
        return Message("property", {"test": asserted.with_["test"], "kind": message.id, **shown})
    if message.id in _NUMBERS:
        return Message("property", {"test": smallest.test, "kind": message.id, **shown})
    return Message(message.id, {"test": smallest.test, **shown})


def _telling(call: Observation, message: Message, tests: Sequence[str]) -> tuple[bool, int, bool, int]:
    """What says most comes first: of the first test a call that raised, since the rest is its doing; the smallest.

    What is missing may be an object that could not be built: the call that failed to build it says more.
    """
    return (message.id == "missing", tests.index(call.test), message.id != "raised", call.size)
