"""What must hold of an assignment, proved by running it.

The reference passes everything and the stub nothing; every known mistake is caught and named, and with its own entry
taken away it is still caught and a broken property named; mistakes two at once are named both; right answers written
otherwise pass in full; wrong ones in learners' hands are named; partial ones lose what they say and nothing else.
"""

from __future__ import annotations

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

__all__ = ["Graded", "Prover", "describe", "prove"]


def prove(folder: Path, device: str = "cpu", *, pairs: bool = True, seeds: int = 0) -> dict[str, Any]:
    """Proves one assignment: figures by name, and `faults`, a line each; none means that all of it holds.

    `seeds` asks for as many other secrets, under each of which the right answers must pass as well.
    """
    assignment = load(folder)
    prover = Prover(Kit(assignment, device))
    prover.kit.strict = True
    prove_reference(prover)
    prove_mistakes(prover)
    if pairs:
        prove_pairs(prover)
    prove_examples(prover)
    suggest_calls(prover)
    if seeds:
        prove_seeds(prover, seeds)
    prover.count_costs()
    return {"assignment": assignment.name, **prover.figures, "faults": prover.faults}
