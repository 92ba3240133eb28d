"""Two mistakes at once are both named, where calls can tell the two from any single one."""

from __future__ import annotations

import itertools
from dataclasses import replace

from autograder.compare import apart, difference
from autograder.diagnose import overlap
from autograder.graders.kit import Replayed
from autograder.graders.session import Ran
from autograder.model import Case, Mistake
from autograder.prove.prover import Prover, named_in


def prove_pairs(prover: Prover) -> None:
    """Counts pairs of mistakes (the first case of each): made at once, told apart, named."""
    counts = {"pairs": 0, "pairs_told_apart": 0, "pairs_named": 0, "pairs_wrongly_named": 0}
    active = [mistake for mistake in prover.assignment.mistakes if not mistake.retired]
    prover.kind = "pair"
    for one, other in itertools.combinations(active, 2):
        if overlap(one.cases[0], other.cases[0]) or other.id in one.looks_like:
            continue
        counts["pairs"] += 1
        if _told_apart(prover, one.cases[0], other.cases[0]):
            counts["pairs_told_apart"] += 1
            named = _named(prover, one, other)
            groups = [prover.group(mistake.id) for mistake in (one, other)]
            wrong = not named <= groups[0] | groups[1]
            counts["pairs_wrongly_named"] += wrong
            counts["pairs_named"] += not wrong and all(named & group for group in groups)
    prover.kind = "diagnosis"
    prover.figures.update(counts)


def _told_apart(prover: Prover, one: Case, other: Case) -> bool:
    """Whether the two together give what no single mistake gives."""
    both = prover.kit.replay((one, other))
    cases = [case for mistake in prover.assignment.mistakes for case in mistake.cases]
    return all(_differ(prover, both, prover.kit.replay((case,))) for case in (one, other, *cases))


def _differ(prover: Prover, one: Replayed, other: Replayed) -> bool:
    return any(
        apart(one.gives(key, index), other.gives(key, index)) > 1.0
        for key, recording in prover.kit.recordings.items()
        for index in range(len(recording.steps))
    )


def _named(prover: Prover, one: Mistake, other: Mistake) -> set[str]:
    """What is named of a submission that gives what the two give together."""
    world = prover.kit.replay((one.cases[0], other.cases[0]))
    return named_in(prover.find([_as_run(prover, ran, world) for ran in prover.reference_runs]))


def _as_run(prover: Prover, ran: Ran, world: Replayed) -> Ran:
    """The run that a target giving what this world gives would have had, as far as calls decide it."""
    expected = prover.kit.recordings[ran.key].expected
    outcomes = tuple(world.outcome(ran.key, index) for index in range(len(expected)))
    messages = [difference(outcome, wanted) for outcome, wanted in zip(outcomes, expected, strict=True)]
    message = next((message for message in messages if message is not None), None)
    return replace(ran, outcomes=outcomes, message=message, status="passed" if message is None else "failed")
