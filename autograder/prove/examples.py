"""Files written by hand: right ones pass, partial ones lose what they say, mistaken ones are named as they say."""

from __future__ import annotations

import itertools

from autograder.content import Example, examples
from autograder.graders.kit import Kit
from autograder.prove.prover import Graded, Prover, describe

MAGNIFIED = (1.0, 12.0)  # times the inputs that the tests draw


def prove_examples(prover: Prover) -> None:
    """Proves accepted/, partial/ and mistaken/."""
    kinds = {"accepted": _accepted, "partial": _partial, "mistaken": _mistaken}
    counted = ("accepted_passing", "partial_as_stated", "mistaken_named", "mistaken_unknown", "mistaken_wrongly_named")
    prover.figures |= dict.fromkeys([*kinds, *counted], 0)
    for example in examples(prover.assignment.folder):
        prover.figures[example.kind] += 1
        kinds[example.kind](prover, example, prover.grade(_text(example), example.path.name))


def prove_seeds(prover: Prover) -> None:
    """Counts right answers that fail under any of some other secrets, on moderate and on large inputs: none may."""
    accepted = [example for example in examples(prover.assignment.folder) if example.kind == "accepted"]
    rejected = 0
    for seed, times in itertools.product(range(prover.seeds), MAGNIFIED):
        kit = Kit(prover.assignment, prover.kit.device, secret=f"seed {seed}")
        kit.magnified = times
        other = Prover(kit)
        for example in accepted:
            lost = other.grade(_text(example), example.path.name).lost
            rejected += bool(lost)
            if lost:
                where = f"under seed {seed}, inputs times {times:g}"
                prover.fault(f"accepted/{example.path.name}: loses {', '.join(sorted(lost))} {where}")
    prover.figures |= {"seeds": prover.seeds, "seeds_rejections": rejected}


def _text(example: Example) -> str:
    return example.path.read_text(encoding="utf-8")


def _accepted(prover: Prover, example: Example, graded: Graded) -> None:
    prover.figures["accepted_passing"] += not graded.lost
    for test in graded.tests:
        if test.status != "passed":
            prover.fault(f"accepted/{example.path.name}: {test.name} is {test.status}: {test.message}")


def _partial(prover: Prover, example: Example, graded: Graded) -> None:
    beyond = graded.lost - set(example.ids)
    prover.figures["partial_as_stated"] += not beyond
    if beyond:
        prover.fault(f"partial/{example.path.name}: also loses {', '.join(sorted(beyond))}")


def _mistaken(prover: Prover, example: Example, graded: Graded) -> None:
    wanted = [prover.group(name) for name in example.ids]
    wrong = graded.named - set().union(*wanted)
    right = all(graded.named & group for group in wanted) and not wrong
    prover.figures["mistaken_named"] += right
    prover.figures["mistaken_wrongly_named"] += bool(wrong)
    prover.figures["mistaken_unknown"] += not graded.named
    if not graded.lost:
        prover.fault(f"mistaken/{example.path.name}: no test fails")
    elif not right:
        wanted_ids = ", ".join(example.ids)
        prover.fault(f"mistaken/{example.path.name}: {describe(graded.found)}, not {wanted_ids}")
