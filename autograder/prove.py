"""What must hold of an assignment, proved by running it.

The reference passes everything and the stub nothing; every known mistake is caught and named, and with its own entry
taken away it is still caught and a broken property named; mistakes two at once are named both; right answers written
otherwise pass in full; wrong ones in learners' hands are named; partial ones lose what they say and nothing else.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from autograder.compare import apart, difference
from autograder.content import Example, examples, load
from autograder.graders.kit import Kit, Replayed, apply_edits, overlap
from autograder.graders.report import findings, results
from autograder.graders.session import Ran, run_graders
from autograder.model import Assignment, Case, Finding, Mistake, TestResult
from autograder.targets.inprocess import InProcess


@dataclass(frozen=True, slots=True)
class Graded:
    """A source text, graded in this process."""

    runs: list[Ran]
    tests: tuple[TestResult, ...]
    found: tuple[Finding, ...]

    @property
    def lost(self) -> set[str]:
        """The tests that did not pass."""
        return {test.name for test in self.tests if test.status != "passed"}

    @property
    def named(self) -> set[str]:
        """The mistakes named without doubt."""
        return {mistake.id for finding in self.found for mistake in finding.mistakes}

    @property
    def properties(self) -> bool:
        """Whether a broken property is named."""
        return any(finding.property is not None for finding in self.found)


@dataclass
class Proof:
    """Proves one assignment; `figures` are counted as it goes, `faults` are lines for the author."""

    kit: Kit
    figures: dict[str, Any] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    reference_runs: list[Ran] = field(default_factory=list)

    @property
    def assignment(self) -> Assignment:
        """What is proved."""
        return self.kit.assignment

    def run(self, *, pairs: bool = True) -> dict[str, Any]:
        """Everything, in the order that makes a fault easiest to read."""
        self.kit.strict = True
        self._reference()
        self._stub()
        self._points()
        self._mistakes()
        if pairs:
            self._pairs()
        self._examples()
        return {"assignment": self.assignment.name, **self.figures, "faults": self.faults}

    def grade(self, source: str, filename: str, *, without: Sequence[str] = ()) -> Graded:
        """Grades a source text in this process: it is the author's own."""
        target = InProcess.from_source(source, self.assignment.helpers, filename=filename, watch=self.kit.watch)
        runs = run_graders(self.kit, target)
        for ran in runs:  # an error is a fault of the test, whatever was graded
            fault = f"{ran.test}: {ran.message.with_['text']}" if ran.status == "error" and ran.message else None
            if fault and fault not in self.faults:
                self.faults.append(fault)
        return Graded(runs, results(self.kit, runs), findings(self.kit, runs, without=without))

    def _reference(self) -> None:
        graded = self.grade(self.assignment.solution, "solution.py")
        self.reference_runs = graded.runs
        self.figures["reference_passes"] = not graded.lost
        for test in graded.tests:
            if test.status != "passed":
                self.faults.append(f"solution.py: {test.name} is {test.status}: {test.message}")

    def _stub(self) -> None:
        graded = self.grade(stub(self.assignment.solution), "stub.py")
        passed = [test.name for test in graded.tests if test.status == "passed"]
        self.figures["stub_fails"] = not passed
        self.faults.extend(f"an unwritten file passes {name}" for name in passed)

    def _points(self) -> None:
        tests = results(self.kit, self.reference_runs)
        for spec in self.assignment.functions:
            points = sum(test.max_points for test in tests if test.function == spec.name)
            if not math.isclose(points, spec.points):
                self.faults.append(f"tests of {spec.name} give {points:g} points, assignment.toml says {spec.points:g}")

    # ------------------------------------------------------------------------------------------ mistakes

    def _mistakes(self) -> None:
        active = [mistake for mistake in self.assignment.mistakes if not mistake.retired]
        proofs = [self._mistake(mistake) for mistake in active]
        self.figures["mistakes"] = len(active)
        for name in ("caught", "named", "caught_without_entry"):
            self.figures[name] = sum(proof[name] for proof in proofs)
        self.figures["groups"] = [
            {"id": mistake.id, "size": 1 + len(mistake.looks_like), "reasons": mistake.looks_like}
            for mistake in active
            if mistake.looks_like
        ]

    def _mistake(self, mistake: Mistake) -> dict[str, bool]:
        """A mistake is caught, named, and caught without its entry only if each of its cases is."""
        proofs = [self._case(mistake, number, case) for number, case in enumerate(mistake.cases, 1)]
        return {name: all(proof[name] for proof in proofs) for name in proofs[0]}

    def _case(self, mistake: Mistake, number: int, case: Case) -> dict[str, bool]:
        where = f"{mistake.id}, case {number}"
        source = apply_edits(self.assignment.solution, case.edits)
        graded = self.grade(source, "mistaken.py")
        group = {mistake.id, *mistake.looks_like}
        named = bool(graded.named & group) and graded.named <= group
        if not graded.lost:
            self.faults.append(f"{where}: no test fails")
        elif not named:
            self.faults.append(f"{where}: {describe(graded.found)} instead")
        alone = findings(self.kit, graded.runs, without=[mistake.id])
        return {"caught": bool(graded.lost), "named": named, "caught_without_entry": self._without(where, group, alone)}

    def _without(self, where: str, group: set[str], found: Sequence[Finding]) -> bool:
        """With its entry gone, a mistake's tests still say what broke, and no other mistake is blamed."""
        blamed = {named.id for finding in found for named in finding.mistakes} - group - {"edit"}
        if blamed:
            self.figures.setdefault("blamed_without_entry", []).append(f"{where}: {', '.join(sorted(blamed))}")
        return bool(found) and not blamed

    # --------------------------------------------------------------------------------------------- pairs

    def _pairs(self) -> None:
        counts = {"pairs": 0, "pairs_told_apart": 0, "pairs_named": 0}
        active = [mistake for mistake in self.assignment.mistakes if not mistake.retired]
        for one, other in itertools.combinations(active, 2):
            if overlap(one.cases[0], other.cases[0]) or other.id in one.looks_like:
                continue
            counts["pairs"] += 1
            if self._told_apart(one.cases[0], other.cases[0]):
                counts["pairs_told_apart"] += 1
                counts["pairs_named"] += self._pair_named(one, other)
        self.figures.update(counts)

    def _told_apart(self, one: Case, other: Case) -> bool:
        """Whether the two together give what no single mistake gives."""
        both = self.kit.replay((one, other))
        cases = [case for mistake in self.assignment.mistakes for case in mistake.cases]
        return all(self._differ(both, self.kit.replay((case,))) for case in (one, other, *cases))

    def _differ(self, one: Replayed, other: Replayed) -> bool:
        return any(
            apart(one.gives(key, index), other.gives(key, index)) > 1.0
            for key, recording in self.kit.recordings.items()
            for index in range(len(recording.steps))
        )

    def _pair_named(self, one: Mistake, other: Mistake) -> bool:
        world = self.kit.replay((one.cases[0], other.cases[0]))
        found = findings(self.kit, [self._as_run(ran, world) for ran in self.reference_runs])
        named = {mistake.id for finding in found for mistake in finding.mistakes}
        groups = [{mistake.id, *mistake.looks_like} for mistake in (one, other)]
        return all(named & group for group in groups) and named <= groups[0] | groups[1]

    def _as_run(self, ran: Ran, world: Replayed) -> Ran:
        """The run that a target giving what this world gives would have had, as far as calls decide it."""
        expected = self.kit.recordings[ran.key].expected
        outcomes = tuple(world.outcome(ran.key, index) for index in range(len(expected)))
        messages = [difference(outcome, wanted) for outcome, wanted in zip(outcomes, expected, strict=True)]
        message = next((message for message in messages if message is not None), None)
        return replace(ran, outcomes=outcomes, message=message, status="passed" if message is None else "failed")

    # ------------------------------------------------------------------------------------------ examples

    def _examples(self) -> None:
        for kind in ("accepted", "partial", "mistaken"):
            self.figures[kind] = 0
        for name in ("accepted_passing", "partial_as_stated", "mistaken_named", "mistaken_wrongly_named"):
            self.figures[name] = 0
        for example in examples(self.assignment.folder):
            graded = self.grade(example.path.read_text(encoding="utf-8"), example.path.name)
            self.figures[example.kind] += 1
            getattr(self, f"_{example.kind}")(example, graded)

    def _accepted(self, example: Example, graded: Graded) -> None:
        self.figures["accepted_passing"] += not graded.lost
        for test in graded.tests:
            if test.status != "passed":
                self.faults.append(f"accepted/{example.path.name}: {test.name} is {test.status}: {test.message}")

    def _partial(self, example: Example, graded: Graded) -> None:
        beyond = graded.lost - set(example.ids)
        self.figures["partial_as_stated"] += not beyond
        if beyond:
            self.faults.append(f"partial/{example.path.name}: also loses {', '.join(sorted(beyond))}")

    def _mistaken(self, example: Example, graded: Graded) -> None:
        wanted = [self._group(name) for name in example.ids]
        wrong = graded.named - set().union(*wanted)
        right = all(graded.named & group for group in wanted) and not wrong
        self.figures["mistaken_named"] += right
        self.figures["mistaken_wrongly_named"] += bool(wrong)
        if not graded.lost:
            self.faults.append(f"mistaken/{example.path.name}: no test fails")
        elif not right:
            wanted_ids = ", ".join(example.ids)
            self.faults.append(f"mistaken/{example.path.name}: {describe(graded.found)}, not {wanted_ids}")

    def _group(self, name: str) -> set[str]:
        mistake = next(mistake for mistake in self.assignment.mistakes if mistake.id == name)
        return {mistake.id, *mistake.looks_like}


def prove(folder: Path, device: str = "cpu", *, pairs: bool = True) -> dict[str, Any]:
    """Proves one assignment: figures by name, and `faults`, a line each; none means that all of it holds."""
    return Proof(Kit(load(folder), device)).run(pairs=pairs)


def describe(found: Sequence[Finding]) -> str:
    """Findings in one line, for authors."""
    return "; ".join(_describe(finding) for finding in found) or "nothing is found"


def _describe(finding: Finding) -> str:
    if finding.mistakes:
        return " + ".join(f"{mistake.id} {mistake.with_ or ''}".strip() for mistake in finding.mistakes)
    if finding.one_of:
        return "one of " + ", ".join(mistake.id for mistake in finding.one_of)
    return f"property {finding.property.with_}" if finding.property else "nothing"


class _Unwrite(ast.NodeTransformer):
    """Replaces every function's body by `raise NotImplementedError`."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.body = [ast.Raise(exc=ast.Name("NotImplementedError", ast.Load()))]
        return node


def stub(solution: str) -> str:
    """The reference with every body taken out."""
    return ast.unparse(ast.fix_missing_locations(_Unwrite().visit(ast.parse(solution))))
