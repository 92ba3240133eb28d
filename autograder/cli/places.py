"""Which assignments there are, and which one a file belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from autograder.content import assignment_names, find_solutions, load, resolve
from autograder.course.collect import Collected, collect
from autograder.course.troubles import Illegible, Refused
from autograder.model import LANGUAGES, Assignment
from autograder.notebooks import guess_assignment, trouble_with


class Catalogue:
    """The authored assignments, each read when it is first needed. Raises UsageError where there are none."""

    def __init__(self) -> None:
        self.solutions = find_solutions()
        self._read: dict[str, Assignment] = {}

    @cached_property
    def names(self) -> Sequence[str]:
        """Names in order."""
        return tuple(assignment_names(self.solutions))

    def name_of(self, asked: str) -> str:
        """The full name of what someone typed; raises UsageError that suggests the closest."""
        return resolve(self.solutions, asked).name

    def assignment(self, name: str) -> Assignment:
        """An assignment by its full name. Raises ContentError."""
        if name not in self._read:
            self._read[name] = load(self.solutions / name)
        return self._read[name]

    def asked(self, name: str) -> tuple[str, ...]:
        """The functions and classes that an assignment asks for."""
        return tuple(spec.name for spec in self.assignment(name).functions)

    def built(self, name: str, language: str) -> Path:
        """Where an assignment's notebook of one language is, once it has been built."""
        suffix = "" if language == LANGUAGES[0] else f".{language}"
        return self.solutions.parent / "assignments" / name / f"{name.partition('_')[2]}{suffix}.ipynb"

    def guess(self, path: Path) -> str | None:
        """The assignment whose functions a file defines."""
        return guess_assignment(path, {name: self.asked(name) for name in self.names})

    def collected(self, paths: Sequence[Path], name: str | None) -> Collected:
        """What was handed in under `paths`, to `name` or to whichever assignment each file belongs.

        Raises what `collect` raises; a file that holds no code is said to be that, and not asked about.
        """
        try:
            return collect(paths, self.names, self.guess, name, self.asked)
        except Refused as refused:
            lost = refused.message.with_["path"] if refused.message.id == "usage-which-assignment" else None
            reason = trouble_with(Path(lost)) if lost else None
            if lost is None or reason is None:
                raise
            raise Illegible(lost, reason) from None
