"""Grades everything that was handed in. One that cannot be graded gets a report that says so, and the rest go on."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import torch

from autograder.course.reports import folder_names, remove_stale, report_path, write_report
from autograder.course.submitted import HandIn
from autograder.course.workers import Finished, can_share_out, share_out
from autograder.graders import grade, prepare
from autograder.graders.grading import walls_of
from autograder.graders.kit import Kit
from autograder.graders.report import report as report_of
from autograder.model import Assignment, Message, Report, Submission
from autograder.notebooks import read
from autograder.sandbox.host import Host, Limits

Tell = Callable[[Report], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a class is graded. Without `out` nothing is written."""

    device: str = "cpu"
    secret: str = "public"  # noqa: S105 - the name of having none
    jobs: int = 1
    out: Path | None = None
    follow_through: bool = True
    limits: Limits = field(default_factory=Limits)
    templates: Mapping[str, Path] = field(default_factory=dict)  # by assignment: the notebook as handed out

    def kit(self, assignment: Assignment) -> Kit:
        """An assignment made ready. Raises UsageError where the device is missing."""
        return prepare(assignment, device=self.device, secret=self.secret, follow_through=self.follow_through)


@dataclass(frozen=True, slots=True)
class Graded:
    """A class's reports, in the order of what was handed in, and what they cost."""

    reports: tuple[Report, ...]
    seconds: float
    cpu_seconds: float  # of this process and all those it started
    phases: Mapping[str, float]  # CPU seconds


def grade_class(
    hand_ins: Sequence[HandIn],
    assignments: Mapping[str, Assignment],
    host: Host,
    settings: Settings,
    tell: Tell = lambda _: None,
) -> Graded:
    """Grades every file and writes its report as soon as it is done; `tell` hears of each.

    `host` may still be starting; where several processes share the work, each has one like it instead. Raises
    UsageError where the device is missing; nothing that a submission does is raised, and a report that cannot be
    written is told as an error of ours.
    """
    start, cpu = time.monotonic(), _cpu_seconds()
    torch.set_num_threads(1)  # a pool of threads would not survive a fork, and each call is tiny
    names = {hand_in.assignment for hand_in in hand_ins}
    kits = {name: settings.kit(assignments[name]) for name in sorted(names)}
    desk = _Desk(hand_ins, kits, settings)
    if settings.jobs > 1 and can_share_out(settings.device):
        reports, phases = _together(desk, host, settings.jobs, tell)
    else:
        reports, phases = _alone(desk, host, tell)
    return Graded(tuple(reports), time.monotonic() - start, _cpu_seconds() - cpu, phases)


@dataclass
class _Desk:
    """Where submissions are graded one after the other."""

    hand_ins: Sequence[HandIn]
    kits: Mapping[str, Kit]
    settings: Settings
    writing: float = 0.0
    folders: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.folders = folder_names(hand_in.student for hand_in in self.hand_ins)

    def do(self, number: int, host: Host) -> Report:
        """Grades one submission and writes its report."""
        hand_in = self.hand_ins[number]
        return self._kept(hand_in, self._graded(hand_in, host), host)

    def _graded(self, hand_in: HandIn, host: Host) -> Report:
        """A report that is sure to be writable: it has been through JSON once."""
        kit, template = self.kits[hand_in.assignment], self.settings.templates.get(hand_in.assignment)
        try:
            submission = _read(hand_in, kit.assignment, template)
            report = grade(kit, submission, host, limits=self.settings.limits)
            return msgspec.json.decode(msgspec.json.encode(report), type=Report)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong with one must not stop the others
            return _our_fault(hand_in, kit, host, f"{type(error).__name__}: {error}")

    def _kept(self, hand_in: HandIn, report: Report, host: Host) -> Report:
        """The report once it is written, or another that says why it is not: the others' may have their place."""
        try:
            self._write(report)
        except OSError as error:
            return _our_fault(hand_in, self.kits[hand_in.assignment], host, f"the report cannot be written: {error}")
        return report

    def _write(self, report: Report) -> None:
        if self.settings.out is not None:
            start = time.process_time()
            write_report(report_path(self.settings.out, self.folders[report.student], report.assignment), report)
            remove_stale(self.settings.out, report, self.folders.values())
            self.writing += time.process_time() - start

    def lost(self, number: int, host: Host) -> Report:
        """The report of a submission whose grading process ended."""
        hand_in = self.hand_ins[number]
        report = _our_fault(hand_in, self.kits[hand_in.assignment], host, "the grading process ended")
        return self._kept(hand_in, report, host)

    @property
    def phases(self) -> Counter[str]:
        """CPU seconds by phase so far."""
        total = Counter({"writing": self.writing})
        for kit in self.kits.values():
            total.update(kit.timings)
        return total


def _read(hand_in: HandIn, assignment: Assignment, template: Path | None) -> Submission:
    """The submission, with what was odd about where it lay."""
    if hand_in.problem is not None:
        return Submission(hand_in.student, hand_in.assignment, hand_in.path, sha256="", problem=hand_in.problem)
    found = read(hand_in.path, assignment, student=hand_in.student, template=template)
    return msgspec.structs.replace(found, notes=(*hand_in.notes, *found.notes))


def _our_fault(hand_in: HandIn, kit: Kit, host: Host, text: str) -> Report:
    """No learner is blamed for this: the status is `error`. How far it got is not known, and nothing of it counts."""
    nothing = Submission(hand_in.student, hand_in.assignment, hand_in.path, sha256="")
    problem = Message("internal", {"text": text})
    sandbox = walls_of(host.walls.layers, ran=hand_in.problem is None)
    return report_of(kit, nothing, (), status="error", problem=problem, sandbox=sandbox)


# ------------------------------------------------------------------------------------------------------- in turn


def _alone(desk: _Desk, host: Host, tell: Tell) -> tuple[list[Report], Mapping[str, float]]:
    reports = []
    try:
        for number in range(len(desk.hand_ins)):
            reports.append(desk.do(number, host))
            tell(reports[-1])
    finally:
        host.close()
    return reports, desk.phases


# ------------------------------------------------------------------------------------------------ several at once


def _together(desk: _Desk, host: Host, jobs: int, tell: Tell) -> tuple[list[Report], Mapping[str, float]]:
    reports: dict[int, Report] = {}
    phases = desk.phases
    before = Counter(phases)
    for event in share_out(len(desk.hand_ins), jobs, lambda: _Grader(desk, host)):
        if isinstance(event, Finished):
            spent = Counter(msgspec.json.decode(event.answer, type=dict[str, float]))
            spent.subtract(before)  # every process began with what had been spent before the fork
            phases.update(spent)
            continue
        answer = event.answer
        reports[event.number] = msgspec.json.decode(answer, type=Report) if answer else desk.lost(event.number, host)
        tell(reports[event.number])
    return [reports[number] for number in sorted(reports)], phases


class _Grader:
    """Grades in a forked process, with a sandbox of its own."""

    def __init__(self, desk: _Desk, host: Host) -> None:
        self._desk = desk
        self._host = host.another()
        self._host.start()

    def work(self, number: int) -> bytes:
        """Grades one submission; its report, encoded."""
        return msgspec.json.encode(self._desk.do(number, self._host))

    def finish(self) -> bytes:
        """Closes the sandbox; the CPU seconds by phase, encoded."""
        self._host.close()
        return msgspec.json.encode(dict(self._desk.phases))


# -------------------------------------------------------------------------------------------------------- costs


def _cpu_seconds() -> float:
    """Of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
