"""From runs of tests to a report: verdicts, points, findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import torch

import autograder
from autograder.calls import Step, Value
from autograder.compare import difference, leaves, signature
from autograder.diagnose import Evidence, Observation, Search, diagnose
from autograder.graders.inputs import PUBLIC
from autograder.graders.prepared import Prepared
from autograder.graders.session import Ran
from autograder.graders.traits import traits
from autograder.model import Finding, FunctionSpec, Message, Report, ReportStatus, Submission, TestResult, TestStatus

# The gravest status of a test's runs is the test's.
_GRAVITY: tuple[TestStatus, ...] = (
    "error", "tampered", "crashed", "out-of-memory", "timeout", "failed", "missing", "skipped", "unchecked", "passed",
)  # fmt: skip
_SHOWS_NUMBERS = ("values", "gradient", "nonfinite")
_NUMBERS = ("expected", "yours", "difference")
_NOT_ATTEMPTED = ("missing", "skipped", "error")


def results(kit: Prepared, runs: Sequence[Ran]) -> tuple[TestResult, ...]:
    """One result for each test function, in the order they ran."""
    secret = kit.secret_id != PUBLIC
    tests: dict[str, list[Ran]] = {}
    for ran in runs:
        tests.setdefault(ran.test, []).append(ran)
    return tuple(_result(group, secret=secret) for group in tests.values())


def _result(group: Sequence[Ran], *, secret: bool) -> TestResult:
    worst = min(group, key=lambda ran: _GRAVITY.index(ran.status))
    points = worst.points if worst.status in ("passed", "unchecked") else 0.0  # what no machine checks costs nothing
    message = _discreet(worst.message, hide=secret and not worst.visible)
    return TestResult(worst.test, worst.function, worst.status, points, worst.points, worst.visible, message=message)


def _discreet(message: Message | None, *, hide: bool) -> Message | None:
    """Numbers that come from secret inputs are not shown."""
    if message is None or not hide or message.with_.get("kind", message.id) not in _SHOWS_NUMBERS:
        return message
    return Message(message.id, {key: value for key, value in message.with_.items() if key not in _NUMBERS})


def findings(kit: Prepared, runs: Sequence[Ran], *, without: Sequence[str] = ()) -> tuple[Finding, ...]:
    """What explains the failures; `without` leaves mistakes out, to prove that the rest still says something true."""
    mistakes = [mistake for mistake in kit.assignment.mistakes if mistake.id not in without]
    search = Search(mistakes, kit.assignment.calls, kit.replay, kit.heeds, generated=kit.generated)
    with kit.timed("diagnosis"):
        found = diagnose([part for spec in kit.assignment.functions if (part := _evidence(kit, spec, runs))], search)
    visible = {ran.test for ran in runs if ran.visible or kit.secret_id == PUBLIC}
    return tuple(_discreet_finding(finding, visible) for finding in found)


def credited(tests: Sequence[TestResult], found: Sequence[Finding]) -> tuple[TestResult, ...]:
    """One mistake costs once: tests of a function that is right in the world of an earlier mistake get their points.

    A finding's first function is where the mistake was made; the others agree in every call with what it leads to.
    """
    at_fault = {finding.functions[0] for finding in found}
    follows = {name for finding in found for name in finding.follows}
    return tuple(
        msgspec.structs.replace(test, status="passed", points=test.max_points, follow_through=True)
        if test.status == "failed" and test.function not in at_fault and test.name in follows
        else test
        for test in tests
    )


def _discreet_finding(finding: Finding, visible: set[str]) -> Finding:
    shown = finding.property
    if shown is None:
        return finding
    hide = shown.with_.get("shown_by") not in visible
    return msgspec.structs.replace(finding, property=_discreet(shown, hide=hide))


def _evidence(kit: Prepared, spec: FunctionSpec, runs: Sequence[Ran]) -> Evidence | None:
    """What was seen of a function; None where nothing failed, or nothing was attempted."""
    own = [ran for ran in runs if ran.function == spec.name]
    failed: dict[str, Message] = {}
    for ran in own:
        if ran.message is not None and ran.status not in _NOT_ATTEMPTED:
            failed.setdefault(ran.test, ran.message)
    if not failed:
        return None
    observations = tuple(observation for ran in own for observation in _observations(kit, ran))
    return Evidence(spec.name, observations, tuple(failed.items()))


def _observations(kit: Prepared, ran: Ran) -> list[Observation]:
    recording = kit.recording(ran.key)
    known = zip(ran.outcomes, recording.steps, recording.expected, recording.signatures, strict=False)
    return [
        Observation(
            key=ran.key,
            index=index,
            test=ran.test,
            seen=signature(outcome, expected),
            reference=reference,
            message=difference(outcome, expected),
            size=size_of(recording.steps[: index + 1]),
            traits=traits(step),
        )
        for index, (outcome, step, expected, reference) in enumerate(known)
    ]


def size_of(program: Sequence[Step]) -> int:
    """How many numbers the last call of a program is given.

    What an object gives may come of all that was done before, so there it is the numbers of all calls.
    """
    told = program if program[-1].on is not None else program[-1:]
    return sum(numbers_in(step.args, step.kwargs) for step in told)


def numbers_in(args: Sequence[Value], kwargs: Mapping[str, Value]) -> int:
    """How many numbers the arguments of a call hold."""
    parts = [part for value in (*args, *kwargs.values()) for _, part in leaves(value)]
    return sum(int(np.prod(part.shape)) if isinstance(part, (torch.Tensor, np.ndarray)) else 1 for part in parts)


def report(
    kit: Prepared,
    submission: Submission,
    runs: Sequence[Ran],
    *,
    status: ReportStatus = "graded",
    problem: Message | None = None,
    sandbox: Mapping[str, Any] | None = None,
    diagnosed: Sequence[Finding] = (),
) -> Report:
    """The report of one submission."""
    tests = results(kit, runs)
    if kit.follow_through:
        tests = credited(tests, diagnosed)
    return Report(
        schema=1,
        student=submission.student,
        assignment=kit.assignment.name,
        version=kit.assignment.version,
        status=status,
        score=round(sum(test.points for test in tests), 6),
        max_score=sum(spec.points for spec in kit.assignment.functions),
        tests=tests,
        findings=tuple(diagnosed),
        notes=submission.notes,
        sandbox=dict(sandbox or {}),
        provenance=_provenance(kit, submission),
        problem=problem,
    )


def _provenance(kit: Prepared, submission: Submission) -> dict[str, Any]:
    """What the score came from; the secret's id, never its value."""
    return {
        "sha256": submission.sha256,
        "kit": autograder.__version__,
        "torch": str(torch.__version__),
        "device": kit.device,
        "secret_id": kit.secret_id,
    }
