"""What all proofs share: grading a text in this process, figures, and faults as lines for the author."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

from autograder.graders.kit import Kit
from autograder.graders.report import findings, results
from autograder.graders.session import Ran, run_graders
from autograder.model import Assignment, Finding, TestResult
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
        return named_in(self.found)


@dataclass
class Prover:
    """Grades texts of one assignment; `figures` are counted as it goes, `faults` are lines for the author."""

    kit: Kit
    seeds: int = 0  # other secrets under which right answers must pass
    figures: dict[str, Any] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    reference_runs: list[Ran] = field(default_factory=list)
    undecided: set[frozenset[str]] = field(default_factory=set)  # mistakes between which a finding could not choose
    diagnoses: dict[str, list[float]] = field(default_factory=dict)  # CPU seconds a text that lost something, by kind
    kind: str = "diagnosis"

    @property
    def assignment(self) -> Assignment:
        """What is proved."""
        return self.kit.assignment

    def grade(self, source: str, filename: str) -> Graded:
        """Grades a source text in this process: it is the author's own."""
        target = InProcess.from_source(source, self.assignment.helpers, filename=filename, watch=self.kit.watch)
        runs = run_graders(self.kit, target)
        for ran in runs:  # an error is a fault of the test, whatever was graded
            if ran.status == "error" and ran.message:
                self.fault(f"{ran.test}: {ran.message.with_['text']}")
        return Graded(runs, results(self.kit, runs), self.find(runs))

    def find(self, runs: Sequence[Ran], *, without: Sequence[str] = ()) -> tuple[Finding, ...]:
        """What explains the failures of some runs, and what finding it cost."""
        start = time.process_time()
        found = findings(self.kit, runs, without=without)
        for finding in found:
            ids = sorted({mistake.id for mistake in finding.one_of} - {"edit"})
            self.undecided.update(map(frozenset, itertools.combinations(ids, 2)))
        if found and not without:
            self.diagnoses.setdefault(self.kind, []).append(time.process_time() - start)
        return found

    def fault(self, line: str) -> None:
        """One line for the author; said once."""
        if line not in self.faults:
            self.faults.append(line)

    def group(self, name: str) -> set[str]:
        """A mistake and those that no call can tell from it."""
        mistake = next(mistake for mistake in self.assignment.mistakes if mistake.id == name)
        return {mistake.id, *mistake.looks_like}

    def count_costs(self) -> None:
        """CPU seconds of a diagnosis, over all texts that lost something; of pairs of mistakes apart."""
        for kind, seconds in self.diagnoses.items():
            if len(seconds) > 1:
                self.figures[f"{kind}_cpu_median"] = round(median(seconds), 4)
                self.figures[f"{kind}_cpu_95th"] = round(quantiles(seconds, n=20)[-1], 4)


def named_in(found: Sequence[Finding]) -> set[str]:
    """The mistakes that findings name without doubt."""
    return {mistake.id for finding in found for mistake in finding.mistakes}


def describe(found: Sequence[Finding]) -> str:
    """Findings in one line, for authors."""
    return "; ".join(_describe(finding) for finding in found) or "nothing is found"


def _describe(finding: Finding) -> str:
    if finding.mistakes:
        return " + ".join(f"{mistake.id} {mistake.with_ or ''}".strip() for mistake in finding.mistakes)
    if finding.one_of:
        return "one of " + ", ".join(mistake.id for mistake in finding.one_of)
    return f"{finding.property.id} {finding.property.with_}" if finding.property else "nothing"
