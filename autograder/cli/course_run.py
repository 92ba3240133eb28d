"""A course's gradebook beside a run: every report goes into it as soon as it is there."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Self

from autograder.course.settings import CourseSettings, course_settings
from autograder.course.submitted import HandIn
from autograder.course.troubles import Refused
from autograder.model import Assignment, Language, Note, Report

if TYPE_CHECKING:
    from autograder.course.gradebook import CourseBook, Feedback


class Recorder:
    """Keeps the gradebook of a course, or none where there is no course.

    As a context it is open. Raises Refused and ContentError for what is wrong with the course.
    """

    def __init__(self, folder: Path | None) -> None:
        self.settings = CourseSettings() if folder is None else course_settings(folder)
        self.notes: list[Note] = []  # what could not be done, or was undone
        self.cpu_seconds = 0.0
        self._folder = folder
        self._assignments: Mapping[str, Assignment] = {}
        self._book: CourseBook | None = None
        self._stack = ExitStack()

    @property
    def language(self) -> Language:
        """The course's language."""
        return self.settings.language

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def begin(
        self, hand_ins: Sequence[HandIn], assignments: Mapping[str, Assignment], built: Mapping[str, Path]
    ) -> None:
        """Opens the gradebook; new attempts lose the scores of earlier ones. `built`: the notebooks handed out."""
        if self._folder is None:
            return
        for name, path in built.items():
            if not path.is_file():
                raise Refused("usage-not-built", assignment=name, path=str(path))
        from autograder.course.gradebook import CourseBook

        self._assignments = assignments
        self._book = self._stack.enter_context(CourseBook(self._folder, assignments, built))
        self.notes += self._book.begin(hand_ins)

    def record(self, report: Report) -> None:
        """Writes one report."""
        if self._book is not None:
            from autograder.course.gradebook import recording

            start = time.process_time()
            with recording(report, self.notes):
                self.notes += self._book.record(report, self._feedback(report))
            self.cpu_seconds += time.process_time() - start

    @property
    def failed(self) -> bool:
        """Whether something is missing in the gradebook."""
        return any(note.id == "note-not-recorded" for note in self.notes)

    def _feedback(self, report: Report) -> Feedback:
        from autograder.course.gradebook import Feedback
        from autograder.present.feedback import card, comments
        from autograder.present.words import Words

        words = Words(self._assignments[report.assignment], self.language, for_students=True)
        names = [spec.name for spec in words.assignment.functions]
        return Feedback({name: card(report, name, words) for name in names}, comments(report, words))
