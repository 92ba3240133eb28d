"""nbgrader's gradebook and folders, through nbgrader's own models. With nbgrader_files, all that imports nbgrader.

One transaction for each submission. The page of an earlier grading, with the feedback made of it, goes before the
transaction ends and the new one comes after it: whenever we are stopped, scores and page agree, or the page is missing,
which nbgrader shows as not graded. Which attempt the scores belong to stands in a table of our own beside nbgrader's,
in the same transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec
from nbgrader import api  # type: ignore[import-untyped]
from nbgrader.coursedir import CourseDirectory  # type: ignore[import-untyped]
from nbgrader.utils import parse_utc  # type: ignore[import-untyped]
from sqlalchemy import Column, MetaData, String, Table, delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from autograder.course.autograded import Marks
from autograder.course.nbgrader_files import config_of, make_database, page_of, take_away, url_of
from autograder.course.reports import write_whole
from autograder.course.troubles import Refused

_ATTEMPTS = Table(
    "attn_attempt",
    MetaData(),
    Column("submission_id", String(32), primary_key=True),
    Column("content", String(128), nullable=False),
)

Model = TypeVar("Model")


class NotRecorded(Exception):
    """A submission's scores could not be written; those of others are as they were."""


class Attempt(msgspec.Struct, frozen=True):
    """What one student handed in: `content` is a digest, or says why there is none."""

    student: str
    assignment: str
    content: str
    timestamp: datetime | None = None  # UTC, without its zone


class Verdict(msgspec.Struct, frozen=True):
    """What is written for an attempt, by grade id. None as a score, or an id in `doubtful`: people must look at it."""

    scores: Mapping[str, float | None]
    comments: Mapping[str, str]
    page: bytes
    doubtful: frozenset[str] = frozenset()


def time_in(text: str) -> datetime | None:
    """The time that a timestamp.txt holds, in UTC; None where it holds none. It may be the learner's own writing."""
    try:
        found = parse_utc(text.strip())
    except Exception:  # noqa: BLE001 - dateutil raises many things for text that is no time
        return None
    return found if isinstance(found, datetime) else None


class Gradebook:
    """A course's gradebook, open. Raises Refused where it cannot be opened."""

    def __init__(self, folder: Path) -> None:
        try:
            self._config = config_of(folder)
            self._directory = CourseDirectory(config=self._config)
            url = url_of(self._directory)
            make_database(url)
            self._book = api.Gradebook(url, self._directory.course_id or "default_course")
            _ATTEMPTS.metadata.create_all(self._book.engine)
        except Exception as error:  # the config is a program: anything may be raised
            raise Refused("usage-gradebook", path=str(folder), text=_brief(error)) from error
        self._db = self._book.db
        self._names: dict[str, str] = {}  # assignment -> its notebook

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._book.close()

    # ------------------------------------------------------------------------------------------------ assignments

    def register(self, assignment: str, notebook: str, marks: Iterable[Marks], kernelspec: str) -> None:
        """Makes an assignment's cells known. What an instructor has made of them in nbgrader stays, points apart.

        `notebook`: the name it gets; one that is there under its name with a language, or as the only one, keeps its.
        """
        with self._transaction():
            course = self._book.check_course(self._directory.course_id or "default_course")
            held = self._one(api.Assignment, name=assignment) or self._add(
                api.Assignment(name=assignment, course_id=course.id)
            )
            found = _fitting(held.notebooks, notebook) or self._add(
                api.Notebook(name=notebook, assignment=held, kernelspec=kernelspec)
            )
            self._names[assignment] = found.name
            self._register_cells(found, marks)

    def _register_cells(self, notebook: Any, marks: Iterable[Marks]) -> None:
        place = {"notebook_id": notebook.id}
        kinds = (api.GradeCell, api.SolutionCell, api.SourceCell)
        there = {kind: {cell.name: cell for cell in self._db.query(kind).filter_by(**place)} for kind in kinds}
        for mark in marks:
            name = mark.grade_id
            if mark.grade and name not in there[api.GradeCell]:
                self._db.add(api.GradeCell(**place, name=name, cell_type=mark.cell_type, max_score=mark.points))
            elif mark.grade:
                there[api.GradeCell][name].max_score = mark.points
            if mark.solution and name not in there[api.SolutionCell]:
                self._db.add(api.SolutionCell(**place, name=name))
            if name not in there[api.SourceCell]:
                kept = {"cell_type": mark.cell_type, "source": mark.source, "locked": mark.locked}
                self._db.add(api.SourceCell(**place, name=name, **kept))

    # ------------------------------------------------------------------------------------------------ submissions

    def begin(self, attempt: Attempt) -> list[str]:
        """Makes room for an attempt. If it is not the one that the scores belong to, they go, and with them the page.

        Returns the marks given by hand that are taken back, such as "write-why 1.5". Raises NotRecorded.
        """
        with self._transaction():
            submission = self._submission(attempt)
            if attempt.content == self._attempt_of(submission, attempt):
                return []
            taken = [f"{grade.name} {grade.manual_score:g}" for grade in _grades(submission) if _by_hand(grade)]
            for grade in _grades(submission):
                grade.auto_score = grade.manual_score = grade.extra_credit = None
                grade.needs_manual_grade = True
            for comment in _comments(submission):
                comment.auto_comment = comment.manual_comment = None
            submission.timestamp = attempt.timestamp
            self._db.execute(delete(_ATTEMPTS).where(_ATTEMPTS.c.submission_id == submission.id))
            self._db.execute(insert(_ATTEMPTS).values(submission_id=submission.id, content=attempt.content))
            self._db.flush()  # a database that cannot be written says so before the page is gone
            take_away(self._directory, attempt.student, attempt.assignment, self._names[attempt.assignment])
            return taken

    def record(self, attempt: Attempt, verdict: Verdict) -> None:
        """Replaces what the last grading said of an attempt; what people gave stays. Raises NotRecorded."""
        page = self._page(attempt.student, attempt.assignment)
        with self._transaction():
            submission = self._submission(attempt)
            submission.timestamp = attempt.timestamp
            for grade in _grades(submission):
                if grade.name in verdict.scores:
                    _give(grade, verdict.scores[grade.name], doubtful=grade.name in verdict.doubtful)
            for comment in _comments(submission):
                comment.auto_comment = verdict.comments.get(comment.name)
            self._db.flush()
            self._take_off_for_lateness(submission)
            take_away(self._directory, attempt.student, attempt.assignment, self._names[attempt.assignment])
        with _said_as_not_recorded():
            page.parent.mkdir(parents=True, exist_ok=True)
            if attempt.timestamp is not None:
                write_whole(page.with_name("timestamp.txt"), f"{attempt.timestamp} UTC".encode())
            write_whole(page, verdict.page)

    def has_page(self, attempt: Attempt) -> bool:
        """Whether the attempt that is there has been graded."""
        return self._page(attempt.student, attempt.assignment).is_file()

    def _page(self, student: str, assignment: str) -> Path:
        return page_of(self._directory, student, assignment, self._names[assignment])

    def _submission(self, attempt: Attempt) -> Any:
        """The submission with a row for each notebook and cell there is by now."""
        student = self._one(api.Student, id=attempt.student) or self._add(api.Student(id=attempt.student))
        assignment = self._one(api.Assignment, name=attempt.assignment)
        place = {"assignment_id": assignment.id, "student_id": student.id}
        submission = self._one(api.SubmittedAssignment, **place) or self._add(api.SubmittedAssignment(**place))
        for notebook in assignment.notebooks:
            place = {"assignment_id": submission.id, "notebook_id": notebook.id}
            own = self._one(api.SubmittedNotebook, **place) or self._add(api.SubmittedNotebook(**place))
            graded = [*notebook.grade_cells, *notebook.task_cells]
            self._fill(api.Grade, own, own.grades, graded)
            self._fill(api.Comment, own, own.comments, [*notebook.solution_cells, *notebook.task_cells])
        self._db.expire(submission)
        return submission

    def _fill(self, kind: Callable[..., Any], notebook: Any, there: Iterable[Any], cells: Iterable[Any]) -> None:
        known = {row.cell_id for row in there}
        for cell in cells:
            if cell.id not in known:
                self._add(kind(cell_id=cell.id, notebook_id=notebook.id))

    def _attempt_of(self, submission: Any, attempt: Attempt) -> str | None:
        """What the scores belong to. Of those that we did not write ourselves only the time can tell."""
        known = self._db.execute(
            select(_ATTEMPTS.c.content).where(_ATTEMPTS.c.submission_id == submission.id)
        ).scalar_one_or_none()
        if known is not None:
            return str(known)
        if submission.timestamp != attempt.timestamp or not any(map(_by_hand, _grades(submission))):
            return None
        self._db.execute(insert(_ATTEMPTS).values(submission_id=submission.id, content=attempt.content))
        return attempt.content

    def _take_off_for_lateness(self, submission: Any) -> None:
        """By the course's own rule, where its config has one."""
        for notebook in submission.notebooks:
            notebook.late_submission_penalty = None
        if not {"AssignLatePenalties", "LateSubmissionPlugin"} & {*self._config} or submission.total_seconds_late <= 0:
            return
        from nbgrader.preprocessors import AssignLatePenalties  # type: ignore[import-untyped]

        rule = AssignLatePenalties(config=self._config)
        rule.init_plugin()
        for notebook in submission.notebooks:
            self._db.flush()
            self._db.refresh(notebook, ["score"])
            penalty = rule.plugin_inst.late_submission_penalty(
                submission.student_id, notebook.score, submission.total_seconds_late
            )
            notebook.late_submission_penalty = None if penalty is None else min(max(penalty, 0.0), notebook.score)

    # ----------------------------------------------------------------------------------------------- the database

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _said_as_not_recorded():
            try:
                yield
                self._db.commit()
            except BaseException:
                self._db.rollback()
                raise
            finally:
                # Nothing stays open in between: graders may fork, and SQLite's connections must not be inherited.
                self._db.remove()
                self._book.engine.dispose()

    def _one(self, kind: type[Model], **values: Any) -> Any:
        return self._db.query(kind).filter_by(**values).one_or_none()

    def _add(self, made: Model) -> Model:
        self._db.add(made)
        self._db.flush()
        return made


@contextmanager
def _said_as_not_recorded() -> Iterator[None]:
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        raise NotRecorded(_brief(error)) from error


def _brief(error: Exception) -> str:
    """One line. SQLAlchemy wraps what the database said in its statement, parameters and a link."""
    said = getattr(error, "orig", None) or error
    return f"{type(said).__name__}: {str(said).partition(chr(10))[0]}"


# -------------------------------------------------------------------------------------------------- rows and cells


def _fitting(notebooks: Sequence[Any], name: str) -> Any:
    """The notebook of that name, else in some language, else the only one."""
    named = [one for one in notebooks if one.name == name] or [
        one for one in notebooks if one.name.partition(".")[0] == name
    ]
    return next(iter(named), notebooks[0] if len(notebooks) == 1 else None)


def _grades(submission: Any) -> list[Any]:
    return [grade for notebook in submission.notebooks for grade in notebook.grades]


def _comments(submission: Any) -> list[Any]:
    return [comment for notebook in submission.notebooks for comment in notebook.comments]


def _by_hand(grade: Any) -> bool:
    return grade.manual_score is not None


def _give(grade: Any, score: float | None, *, doubtful: bool) -> None:
    """What counts is computed by nbgrader: people's mark if there is one, else ours."""
    grade.auto_score = None if score is None else float(score)
    grade.needs_manual_grade = (score is None or doubtful) and not _by_hand(grade)
