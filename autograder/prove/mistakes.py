"""Every known mistake is caught and named; without its entry, something true is said and no other is blamed."""

from __future__ import annotations

from autograder.content import apply
from autograder.model import Case, Mistake
from autograder.prove.prover import Prover, describe, named_in


def prove_mistakes(prover: Prover) -> None:
    """Proves each mistake by itself, in all of its cases."""
    active = [mistake for mistake in prover.assignment.mistakes if not mistake.retired]
    proofs = [_prove(prover, mistake) for mistake in active]
    prover.figures["mistakes"] = len(active)
    for name in ("caught", "named", "caught_without_entry"):
        prover.figures[name] = sum(proof[name] for proof in proofs)
    prover.figures["groups"] = [
        {"id": mistake.id, "size": 1 + len(mistake.looks_like), "reasons": mistake.looks_like}
        for mistake in active
        if mistake.looks_like
    ]


def _prove(prover: Prover, mistake: Mistake) -> dict[str, bool]:
    """A mistake is caught, named, and caught without its entry only if each of its cases is."""
    proofs = [_prove_case(prover, mistake, number, case) for number, case in enumerate(mistake.cases, 1)]
    return {name: all(proof[name] for proof in proofs) for name in proofs[0]}


def _prove_case(prover: Prover, mistake: Mistake, number: int, case: Case) -> dict[str, bool]:
    where = f"{mistake.id}, case {number}"
    graded = prover.grade(apply(prover.assignment.solution, case.edits), "mistaken.py")
    group = prover.group(mistake.id)
    named = bool(graded.named & group) and graded.named <= group
    if not graded.lost:
        prover.fault(f"{where}: no test fails")
    elif not named:
        prover.fault(f"{where}: {describe(graded.found)} instead")
    alone = prover.find(graded.runs, without=[mistake.id])
    blamed = named_in(alone) - group - {"edit"}  # a generated edit that gives the same is a true description
    if blamed:
        prover.figures.setdefault("blamed_without_entry", []).append(f"{where}: {', '.join(sorted(blamed))}")
    return {"caught": bool(graded.lost), "named": named, "caught_without_entry": bool(alone) and not blamed}
