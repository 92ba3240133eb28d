"""The one path on which every submission is graded, whichever command asks."""

from __future__ import annotations

from autograder.calls import Outcome, Status
from autograder.compare import ending
from autograder.graders.inputs import PUBLIC
from autograder.graders.kit import Kit
from autograder.graders.report import findings, report
from autograder.graders.session import Ran, run_graders
from autograder.model import Assignment, Message, Report, ReportStatus, Submission
from autograder.sandbox.host import Host, Limits
from autograder.targets.sandboxed import Sandboxed

# How a submission ends that never gets as far as its functions.
_ENDED: dict[Status, ReportStatus] = {
    Status.TIMEOUT: "timeout",
    Status.CRASHED: "crashed",
    Status.OUT_OF_MEMORY: "out-of-memory",
    Status.TAMPERED: "crashed",
}


def prepare(assignment: Assignment, *, device: str = "cpu", secret: str = PUBLIC) -> Kit:
    """An assignment made ready for grading; one kit serves a class. Raises UsageError where the device is missing."""
    return Kit(assignment, device, secret)


def grade(kit: Kit, submission: Submission, host: Host, *, limits: Limits | None = None, visible_only: bool = False) -> Report:
    """Grades a submission in the sandbox; never raises for anything the submission does."""
    if submission.problem is not None:
        problem = Message(submission.problem.id, submission.problem.with_)
        return report(kit, submission, (), status="unreadable", problem=problem)
    target = open_target(kit, submission, host, limits)
    try:
        return _grade(kit, submission, target, visible_only)
    finally:
        target.close()
        kit.spend("submissions", target.cpu_seconds)


def open_target(kit: Kit, submission: Submission, host: Host, limits: Limits | None = None) -> Sandboxed:
    """The submission in a sandboxed child."""
    return Sandboxed(host, submission.cells, kit.assignment.helpers, limits=limits or Limits(), watch=kit.watch)


def _grade(kit: Kit, submission: Submission, target: Sandboxed, visible_only: bool) -> Report:
    with kit.timed("loading"):
        target.load()
    fatal = next((outcome for outcome in target.load_outcomes if outcome.status in _ENDED), None)
    if fatal is not None:
        status, problem = _ENDED[fatal.status], _load_problem(fatal)
        return report(kit, submission, (), status=status, problem=problem, sandbox=target.sandbox)
    runs = run_graders(kit, target, visible_only=visible_only)
    diagnosed = findings(kit, runs)
    problem = next((ending(outcome) for outcome in target.load_outcomes if outcome.status is Status.RAISED), None)
    return report(kit, submission, runs, problem=problem, sandbox=target.sandbox, diagnosed=diagnosed)


def _load_problem(outcome: Outcome) -> Message:
    message = ending(outcome)
    return Message(message.id, {**message.with_, "while": "loading"})


def check(kit: Kit, submission: Submission, host: Host) -> Report:
    """What a learner's check shows: the visible tests only."""
    return grade(kit, submission, host, visible_only=True)


__all__ = ["Ran", "check", "grade", "open_target", "prepare"]
