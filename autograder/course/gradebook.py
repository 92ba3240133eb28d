"""A class's reports into a course's gradebook, one submission at a time."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import msgspec

from autograder.course.autograded import Release
from autograder.course.reports import digest, shortened
from autograder.course.submitted import HandIn, stem_of
from autograder.course.troubles import Refused
from autograder.messages import clean
from autograder.model import Assignment, ContentError, Note, Report, UsageError
from autograder.notebooks import Unreadable, read_bytes, written

if TYPE_CHECKING:  # it loads nbgrader, which takes a second
    from autograder.course.nbgrader_bridge import Attempt, Gradebook

_CHECK = "check-"
# nbformat's schema checker takes it where it is installed: a grammar that costs more CPU time than to grade five
# notebooks, for web addresses that no notebook's schema has.
_SLOW = "rfc3987_syntax"
_LONGEST_ID = 128  # of nbgrader's student ids
_LONGEST_FOLDER = 255  # bytes
_MADE = "-sha256-"  # in an id that we make, before its digest
_OURS = re.compile(rf"{_MADE}[0-9a-f]{{32}}\Z")
_LONGEST_TIME = 200  # bytes


class Feedback(msgspec.Struct, frozen=True):
    """What people read about one submission, by function: HTML for its check cell, Markdown for its answer."""

    cards: Mapping[str, str]
    comments: Mapping[str, str]


class CourseBook:
    """The gradebook in a course's folder; `releases` are the notebooks handed out, by assignment.

    Raises Refused where nbgrader or the gradebook is missing, ContentError for a notebook that is no longer what
    `attn build` makes.
    """

    def __init__(self, folder: Path, assignments: Mapping[str, Assignment], releases: Mapping[str, Path]) -> None:
        if importlib.util.find_spec("nbgrader") is None:
            raise Refused("usage-no-nbgrader")
        self._releases = {name: _fitting(releases[name], one) for name, one in assignments.items()}
        with _without(_SLOW):
            from autograder.course.nbgrader_bridge import Gradebook

        self._book: Gradebook = Gradebook(folder)
        self._attempts: dict[tuple[str, str], Attempt] = {}
        self._paths: dict[tuple[str, str], Path] = {}
        for name, release in self._releases.items():
            self._book.register(name, stem_of(name), release.marks, release.kernelspec)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._book.__exit__(kind, error, at)

    def begin(self, hand_ins: Sequence[HandIn]) -> list[Note]:
        """Before anything is graded: no new attempt keeps the scores of an earlier one, whatever happens next."""
        notes: list[Note] = []
        for hand_in in hand_ins:
            with recording(hand_in, notes):
                self._begin(hand_in, notes)
        return notes

    def _begin(self, hand_in: HandIn, notes: list[Note]) -> None:
        from autograder.course.nbgrader_bridge import Attempt, time_in

        text = _timestamp(hand_in)
        time = None if text is None else time_in(text)
        if text is not None and time is None:
            notes.append(Note("note-timestamp", _who(hand_in)))
        attempt = Attempt(_id_of(hand_in.student), hand_in.assignment, _content(hand_in), time)
        place = hand_in.student, hand_in.assignment
        taken = self._book.begin(attempt)
        self._attempts[place], self._paths[place] = attempt, hand_in.path
        if taken:
            notes.append(Note("note-taken-back", _who(hand_in) | {"names": taken}))

    def record(self, report: Report, feedback: Feedback) -> list[Note]:
        """Writes one report; what goes wrong with it becomes a note. A failure of ours leaves an earlier grading."""
        notes: list[Note] = []
        with recording(report, notes):
            self._record(report, feedback)
        return notes

    def _record(self, report: Report, feedback: Feedback) -> None:
        from autograder.course.nbgrader_bridge import Verdict

        place = report.student, report.assignment
        attempt = self._attempts.get(place)
        if attempt is None or (report.status == "error" and self._book.has_page(attempt)):
            return
        found, release = written(self._paths[place]), self._releases[report.assignment]
        scores, doubtful = _scores(report, release)
        scores |= _by_hand(release, release.unanswered(found))
        cards = {f"{_CHECK}{name}": (scores[f"{_CHECK}{name}"] or 0.0, html) for name, html in feedback.cards.items()}
        verdict = Verdict(scores, feedback.comments, release.filled(found, cards), doubtful)
        self._book.record(attempt, verdict)


@contextmanager
def recording(whose: HandIn | Report, notes: list[Note]) -> Iterator[None]:
    """What goes wrong with one student becomes a note: the others go on. Refusals of ours go through."""
    from autograder.course.nbgrader_bridge import NotRecorded

    try:
        yield
    except (ContentError, UsageError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever goes wrong with one must not stop the others
        said = str(error) if isinstance(error, NotRecorded) else f"{type(error).__name__}: {error}"
        notes.append(Note("note-not-recorded", _who(whose) | {"text": clean(said)}))


def _who(whose: HandIn | Report) -> dict[str, Any]:
    return {"student": whose.student, "assignment": whose.assignment}


@contextmanager
def _without(module: str) -> Iterator[None]:
    """For a while, the module is not there."""
    absent = {} if module in sys.modules else {module: None}
    sys.modules.update(absent)  # type: ignore[arg-type]  # None is how Python itself writes it
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


def _fitting(path: Path, assignment: Assignment) -> Release:
    """A notebook with a check cell for each function, with its points. Raises ContentError."""
    release = Release(path)
    there = {mark.grade_id: mark.points for mark in release.marks if mark.grade and not mark.solution}
    wanted = {f"{_CHECK}{spec.name}": spec.points for spec in assignment.functions}
    if there != wanted:
        raise ContentError(f"{path}: is not what attn build makes of {assignment.name}; build it again")
    return release


def _scores(report: Report, release: Release) -> tuple[dict[str, float | None], frozenset[str]]:
    """Each check cell's score, and those of which something could not be judged. Ours to explain: no score at all."""
    ids = [mark.grade_id for mark in release.marks if mark.grade and not mark.solution]
    if report.status == "error":
        return dict.fromkeys(ids), frozenset()
    scores: dict[str, float | None] = dict.fromkeys(ids, 0.0)
    for test in report.tests:
        scores[f"{_CHECK}{test.function}"] = float((scores[f"{_CHECK}{test.function}"] or 0.0) + test.points)
    doubtful = {f"{_CHECK}{test.function}" for test in report.tests if test.status in ("error", "unchecked")}
    return scores, frozenset(doubtful)


def _by_hand(release: Release, unanswered: frozenset[str]) -> dict[str, float | None]:
    """Written answers wait for people, unless there is no answer or nothing to give."""
    manual = [mark for mark in release.marks if mark.is_manual]
    return {mark.grade_id: 0.0 if mark.grade_id in unanswered or not mark.points else None for mark in manual}


def _id_of(student: str) -> str:
    """The student's own id, unless no folder could be called so or nbgrader's database not hold it.

    It is the same in every run, whoever else hands in: whoever is called like an id that we make gets another one.
    """
    held = len(student) <= _LONGEST_ID and len(student.encode("utf-8", "replace")) <= _LONGEST_FOLDER
    fits = held and student not in ("", ".", "..") and not {*student} & {*"/\\\0"} and not _OURS.search(student)
    if fits:
        return student
    name = "".join("_" if c in "/\\\0" else c for c in shortened(student)).strip(".")
    return f"{name}{_MADE}{digest(student, 32)}"


def _content(hand_in: HandIn) -> str:
    """By which an attempt is known: a digest of the file, else why there is none."""
    if hand_in.problem is not None:
        return hand_in.problem.id
    try:
        return hashlib.sha256(read_bytes(hand_in.path)).hexdigest()
    except Unreadable as error:
        try:
            status = hand_in.path.lstat()
        except OSError:
            return error.note.id
        return f"{error.note.id} {status.st_size} {status.st_mtime_ns}"


def _timestamp(hand_in: HandIn) -> str | None:
    """What stands in timestamp.txt, which nbgrader puts beside what was handed in."""
    path = None if hand_in.folder is None else hand_in.folder / "timestamp.txt"
    try:
        return None if path is None else read_bytes(path)[:_LONGEST_TIME].decode("utf-8", "replace")
    except Unreadable:
        return None if not path or not path.exists() else ""
