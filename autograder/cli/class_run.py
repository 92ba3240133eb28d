"""One run over a class, as `attn grade` and `attn demo` do it: collect, grade, write, show."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import msgspec
import typer

from autograder.cli.answers import OURS, aside, console
from autograder.cli.course_run import Recorder
from autograder.cli.places import Catalogue
from autograder.course.collect import Collected
from autograder.course.reports import encoded, prepare_folder, summary, write_whole
from autograder.course.troubles import Refused
from autograder.course.workers import can_share_out
from autograder.messages import say
from autograder.model import Assignment, Note, Report
from autograder.present.classes import show_class
from autograder.present.terminal import is_our_fault, show_report, show_sandbox
from autograder.sandbox.host import FULL, SECRETS, Host, secrets_beside


@dataclass(frozen=True, slots=True)
class _Work:
    """What one run has to do: files, their assignments, those assignments' notebooks, and the course's gradebook."""

    collected: Collected
    assignments: Mapping[str, Assignment]
    built: Mapping[str, Path]
    recorder: Recorder


@dataclass
class ClassRun:
    """What was asked for, and after `do` what came of it."""

    paths: Sequence[Path]
    assignment: str | None
    out: Path | None
    jobs: int
    device: str
    secret: str | None
    language: str
    course: Path | None = None
    weak_sandbox: bool = True  # whether hidden tests run where the walls are not complete
    catalogue: Catalogue = field(default_factory=Catalogue)
    reports: tuple[Report, ...] = ()
    summary: dict[str, Any] = field(default_factory=dict)
    unrecorded: bool = False  # something could not be written into the gradebook

    def do(self) -> None:
        """Grades all that lies under the paths; reports are written as they are done, the summary last."""
        with Host(device=self.device, hidden=(*SECRETS, *secrets_beside(self.catalogue.solutions))) as host:
            if not self._shares_out:
                host.start()  # loads PyTorch while we do
            collected = self._collect()
            if not self.weak_sandbox:
                insist_on_walls(host)
            if self.out is not None:
                prepare_folder(self.out)
            self._do(collected, host)

    def _do(self, collected: Collected, host: Host) -> None:
        assignments = {hand.assignment: self.catalogue.assignment(hand.assignment) for hand in collected.hand_ins}
        with Recorder(self.course) as recorder:
            built = {name: self.catalogue.built(name, recorder.language) for name in assignments}
            recorder.begin(collected.hand_ins, assignments, built)
            self._say(recorder.notes)
            told = len(recorder.notes)
            self._grade(_Work(collected, assignments, built, recorder), host)
            self._say(recorder.notes[told:])
            self.unrecorded = recorder.failed
        if self.out is not None:
            write_whole(self.out / "summary.json", encoded(self.summary))

    @property
    def _shares_out(self) -> bool:
        return self.jobs > 1 and can_share_out(self.device)

    def _collect(self) -> Collected:
        name = self.catalogue.name_of(self.assignment) if self.assignment else None
        return self.catalogue.collected(self.paths, name)

    def _grade(self, work: _Work, host: Host) -> None:
        from autograder.course.batch import Settings, grade_class

        hand_ins, notes = work.collected.hand_ins, list(work.collected.notes)
        if self.jobs > 1 and not self._shares_out:
            notes.append(Note("note-jobs", {}))
        self._say(notes)
        templates = {name: path for name, path in work.built.items() if path.is_file()}
        settings = Settings(
            device=self.device,
            jobs=self.jobs,
            out=self.out,
            follow_through=work.recorder.settings.follow_through,
            templates=templates,
        )
        if self.secret is not None:
            settings = replace(settings, secret=self.secret)
        with _Progress(len(hand_ins), self.language) as progress:

            def tell(report: Report) -> None:
                work.recorder.record(report)
                progress.advance()

            graded = grade_class(hand_ins, work.assignments, host, settings, tell)
        self.reports = graded.reports
        phases = {**graded.phases, "gradebook": work.recorder.cpu_seconds}
        self.summary = summary(graded.reports, graded.seconds, graded.cpu_seconds, phases)
        self.summary["notes"] = [msgspec.to_builtins(note) for note in [*notes, *work.recorder.notes]]

    def _say(self, notes: Sequence[Note]) -> None:
        for note in notes:
            aside().print(say(note.id, self.language, **note.with_), style="yellow", soft_wrap=True)

    def end(self) -> None:
        """Sets the exit code: what students did wrong is no failure, what we did is."""
        if self.unrecorded or any(is_our_fault(report) for report in self.reports):
            raise typer.Exit(OURS)

    def print_json(self) -> None:
        """The list of reports, and nothing else, on stdout."""
        sys.stdout.write(encoded(self.reports).decode("utf-8"))

    def show(self) -> None:
        """One report in full, or a class in a table; then what it cost and where it is."""
        screen = console()
        assignments = {report.assignment: self.catalogue.assignment(report.assignment) for report in self.reports}
        if len(self.reports) == 1:
            show_report(screen, self.reports[0], assignments[self.reports[0].assignment], self.language)
        else:
            show_class(screen, self.reports, assignments, self.language)
            self._show_levels(screen)
        if self.out is not None:
            screen.print(self._cost(), soft_wrap=True)
            screen.print(say("results-in", self.language, folder=str(self.out.resolve())), soft_wrap=True)
        if self.course is not None:
            screen.print(say("gradebook-in", self.language, folder=str(self.course.resolve())), soft_wrap=True)

    def _show_levels(self, screen: Any) -> None:
        """Each sandbox level that ran, once."""
        ran = [report for report in self.reports if report.sandbox.get("ran", True)]
        for report in {str(report.sandbox.get("level", "")): report for report in ran}.values():
            show_sandbox(screen, report, self.language)

    def _cost(self) -> str:
        each = self.summary["cpu_seconds"] / len(self.reports)
        return say("class-time", self.language, count=len(self.reports), seconds=self.summary["seconds"], cpu=each)


def insist_on_walls(host: Host) -> None:
    """Raises Refused where a submission could get at the hidden tests that are to be run on it."""
    if host.level != FULL:
        raise Refused(f"usage-sandbox-{host.level}")


class _Progress:
    """A bar on stderr, where that is a terminal."""

    def __init__(self, total: int, language: str) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        screen = aside()
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)
        self._task = self._bar.add_task(say("progress", language), total=total)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def advance(self) -> None:
        """One more is done."""
        self._bar.advance(self._task)
