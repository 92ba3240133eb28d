"""What must hold of an assignment, proved by running it.

The reference passes everything and the stub nothing; every known mistake is caught and named, and with its own entry
taken away it is still caught and a broken property named; mistakes two at once are named both; right answers written
otherwise pass in full; wrong ones in learners' hands are named; partial ones lose what they say and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from autograder.content import load
from autograder.graders.kit import Kit
from autograder.prove.examples import prove_examples, prove_seeds
from autograder.prove.mistakes import prove_mistakes
from autograder.prove.pairs import prove_pairs
from autograder.prove.prover import Graded, Prover, describe
from autograder.prove.reference import prove_reference
from autograder.prove.separations import suggest_calls

__all__ = ["STAGES", "Graded", "Prover", "describe", "prove"]

STAGES: Mapping[str, Callable[[Prover], None]] = {
    "reference": prove_reference,
    "mistakes": prove_mistakes,
    "pairs": prove_pairs,
    "answers": prove_examples,
    "separations": suggest_calls,
    "secrets": prove_seeds,
}


def prove(
    folder: Path,
    device: str = "cpu",
    *,
    pairs: bool = True,
    seeds: int = 0,
    tell: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Proves one assignment: figures by name, and `faults`, a line each; none means that all of it holds.

    `seeds` asks for as many other secrets, under each of which the right answers must pass as well. `tell` hears which
    of the STAGES begins.
    """
    assignment = load(folder)
    kit = Kit(assignment, device)
    kit.follow_through = False  # what follows is a matter of points, and takes time
    prover = Prover(kit, seeds=seeds)
    prover.kit.strict = True
    asked = {"pairs": pairs, "secrets": seeds > 0}
    for stage, prove_stage in STAGES.items():
        if asked.get(stage, True):
            if tell:
                tell(stage)
            prove_stage(prover)
    prover.count_costs()
    return {"assignment": assignment.name, **prover.figures, "faults": prover.faults}
