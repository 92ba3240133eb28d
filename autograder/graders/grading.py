"""The one path on which every submission is graded, whichever command asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from autograder.calls import Outcome, Status
from autograder.compare import ending
from autograder.graders.inputs import PUBLIC
from autograder.graders.kit import Kit
from autograder.graders.prepared import Prepared
from autograder.graders.report import findings, report
from autograder.graders.session import run_graders
from autograder.model import Assignment, Message, Note, Report, ReportStatus, Submission
from autograder.sandbox.host import Host, Limits, WallsFell, level_of
from autograder.targets.sandboxed import Sandboxed

# How a submission ends that never gets as far as its functions.
_ENDED: dict[Status, ReportStatus] = {
    Status.TIMEOUT: "timeout",
    Status.CRASHED: "crashed",
    Status.OUT_OF_MEMORY: "out-of-memory",
    Status.TAMPERED: "crashed",
}


def prepare(assignment: Assignment, *, device: str = "cpu", secret: str = PUBLIC, follow_through: bool = True) -> Kit:
    """An assignment made ready for grading; one kit serves a class. Raises UsageError where the device is missing."""
    kit = Kit(assignment, device, secret)
    kit.follow_through = follow_through
    return kit


def grade(
    kit: Prepared, submission: Submission, host: Host, *, limits: Limits | None = None, visible_only: bool = False
) -> Report:
    """Grades a submission in the sandbox; never raises for anything the submission does.

    Where a child cannot raise the walls that stood when they were tried, nothing runs and the status is `error`.
    """
    if submission.problem is not None:
        problem = Message(submission.problem.id, submission.problem.with_)
        sandbox = walls_of(host.walls.layers, ran=False)
        return report(kit, submission, (), status="unreadable", problem=problem, sandbox=sandbox)
    target = open_target(kit, submission, host, limits)
    try:
        return _grade(kit, submission, target, visible_only=visible_only)
    except WallsFell as error:
        problem = Message("internal", {"text": str(error)})
        return report(kit, submission, (), status="error", problem=problem, sandbox=walls_of(error.layers, ran=False))
    finally:
        target.close()
        kit.spend("submissions", target.cpu_seconds)


def walls_of(layers: Mapping[str, str], *, ran: bool) -> dict[str, Any]:
    """What a report says of the sandbox; `ran`: whether code of the submission ran in it.

    Where none did, they are the walls that would have stood around it.
    """
    return {"level": level_of(layers), "layers": dict(layers), "ran": ran}


def open_target(kit: Prepared, submission: Submission, host: Host, limits: Limits | None = None) -> Sandboxed:
    """The submission in a sandboxed child."""
    return Sandboxed(host, submission.cells, kit.assignment.helpers, limits=limits or Limits(), watch=kit.watch)


def _grade(kit: Prepared, submission: Submission, target: Sandboxed, *, visible_only: bool) -> Report:
    with kit.timed("loading"):
        loaded = target.load_outcomes
    problem = _problem(submission, loaded)
    sandbox = walls_of(target.layers, ran=True)
    if loaded and all(outcome.status in _ENDED for outcome in loaded):
        return report(kit, submission, (), status=_ENDED[loaded[0].status], problem=problem, sandbox=sandbox)
    runs = run_graders(kit, target, visible_only=visible_only)
    target.close()  # a thread that a submission has left running would cost while mistakes are being named
    if target.output_is_cut:
        submission = replace(submission, notes=(*submission.notes, Note("note-printed")))
    return report(kit, submission, runs, problem=problem, sandbox=sandbox, diagnosed=findings(kit, runs))


def _problem(submission: Submission, loaded: Sequence[Outcome]) -> Message | None:
    """What went wrong in the learner's own cells; a demonstration of the kit's fails where an answer is unwritten."""
    own = [outcome for cell, outcome in zip(submission.cells, loaded, strict=False) if cell.graded]
    return next((ending(outcome) for outcome in own if outcome.status is not Status.RETURNED), None)


def check(kit: Prepared, submission: Submission, host: Host) -> Report:
    """What a learner's check shows: the visible tests only."""
    return grade(kit, submission, host, visible_only=True)


__all__ = ["check", "grade", "open_target", "prepare"]
