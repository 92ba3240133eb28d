"""nbgrader's tree of what was handed in: `submitted/<student>/<assignment>/<notebook>.ipynb`.

The folders say whose it is and what it answers. Which file in it is the notebook is told by what it says of itself,
since learners rename files, hand in both languages, and leave other notebooks beside.
"""

from __future__ import annotations

import difflib
import itertools
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.model import Note
from autograder.notebooks import Written, written

_NOTEBOOK, _SCRIPT = ".ipynb", ".py"
_NOBODYS = ("__pycache__", "__MACOSX")  # folders that Python and macOS leave behind

# Of a student's folder. Whoever fills one decides how many files there are; nobody hands in so many by mistake.
MOST_ENTRIES, MOST_NOTES = 2000, 20
MOST_READ, MOST_BYTES = 30, 64 << 20  # of the files that may be the notebook

Asked = Callable[[str], Collection[str]]
"""The names of what an assignment asks for."""


@dataclass(frozen=True, slots=True)
class HandIn:
    """One file to grade. `problem`: why there is none; then `path` is where it should be."""

    student: str
    path: Path
    assignment: str
    folder: Path | None = None  # the submission's own folder, in a submitted tree
    notes: tuple[Note, ...] = ()
    problem: Note | None = None


@dataclass(frozen=True, slots=True)
class _Candidate:
    path: Path
    written: Written
    rank: tuple[float, ...]

    def claims_another(self, name: str) -> bool:
        """Whether the notebook says that it belongs elsewhere."""
        return self.written.assignment is not None and self.written.assignment != name


def students_folders(folder: Path, names: Sequence[str]) -> list[Path]:
    """The folders in it that hold folders named like assignments, as in nbgrader's tree."""
    students = [entry for entry in _entries(folder) if is_folder(entry) and entry.name not in names]
    return [student for student in students if _has_assignment(student, names)]


def is_students_folder(folder: Path, names: Sequence[str]) -> bool:
    """Whether it is one student's folder of such a tree, told by the name of the folder around it."""
    return folder.resolve().parent.name == "submitted" and _has_assignment(folder, names)


@dataclass(frozen=True, slots=True)
class Tree:
    """How to read a `submitted` tree. `only`: the assignment asked for, or all; `notes` takes what is not graded."""

    names: Sequence[str]
    asked: Asked
    only: str | None
    notes: list[Note]

    def of_student(self, folder: Path) -> Iterator[HandIn]:
        """Everything that one student handed in."""
        entries = _some_entries(folder, self.names)
        self._note_others(folder, entries)
        for own in [own for own in entries if own.name in self.names and is_folder(own)]:
            if self.only in (None, own.name):
                yield self.hand_in(shown_name(folder.name), own)
            else:
                path = shown_name(str(own))
                self.notes.append(Note("note-other-assignment", {"path": path, "assignment": self.only}))

    def _note_others(self, folder: Path, entries: Sequence[Path]) -> None:
        """What is no submission: other folders, and files that should lie in one."""
        files = [own for own in entries if own.suffix.lower() in (_NOTEBOOK, _SCRIPT) and not is_folder(own)]
        others = [own for own in entries if own.name not in self.names and is_folder(own)]
        for id_, found in (("note-folder", others), ("note-no-folder", files)):
            self.notes.extend(Note(id_, {"path": shown_name(str(own))}) for own in found[:MOST_NOTES])
            if len(found) > MOST_NOTES:
                self.notes.append(Note("note-many-folders", {"path": shown_name(str(folder))}))

    def hand_in(self, student: str, folder: Path) -> HandIn:
        """What a submission's folder holds: its notebook, or the reason why there is none."""
        name = folder.name
        expected = folder / f"{stem_of(name)}{_NOTEBOOK}"
        files = _likely(folder, expected)
        read = list(_within_bounds(files))
        candidates = sorted((self._candidate(path, name) for path in read), key=_order)
        if not candidates:
            return HandIn(student, expected, name, folder, problem=Note("no-notebook", {"path": folder.name}))
        chosen, *others = candidates
        file = shown_name(chosen.path.name)
        notes = [Note("note-also-there", {"path": shown_name(other.path.name), "graded": file}) for other in others]
        if len(read) < len(files):
            notes = [Note("note-many-files", {"path": folder.name, "count": len(read)}), *notes[:MOST_NOTES]]
        if chosen.path.stem.partition(".")[0] != expected.stem:
            notes.insert(0, Note("note-renamed", {"path": file, "expected": expected.name}))
        if chosen.claims_another(name):
            notes.append(Note("note-of-another", {"path": file, "assignment": chosen.written.assignment}))
        return HandIn(student, chosen.path, name, folder, tuple(notes))

    def _candidate(self, path: Path, name: str) -> _Candidate:
        """Ranked by what the file says it is, how many of the answers are written, and how its name fits."""
        found = written(path)
        answers = {*self.asked(name)}
        there, attempted = len(answers & {*found.answers}), len(answers & found.attempted)
        says = 0 if found.assignment is None else 1 if found.assignment == name else -1
        return _Candidate(path, found, (says, _is_notebook(path), attempted, there, _likeness(path, stem_of(name))))


def shown_name(name: str) -> str:
    """A name with bytes that are no UTF-8 written out, since reports are UTF-8."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def stem_of(assignment: str) -> str:
    """The name without its number, as the notebook's file is called."""
    return assignment.partition("_")[2]


def _order(candidate: _Candidate) -> tuple[tuple[float, ...], str]:
    return tuple(-part for part in candidate.rank), candidate.path.name


def _has_assignment(folder: Path, names: Sequence[str]) -> bool:
    return any(own.name in names and is_folder(own) for own in _some_entries(folder, names))


def _likely(folder: Path, expected: Path) -> list[Path]:
    """The files that may be the notebook, the likeliest by their names first.

    A link is a file that cannot be read; it is never followed.
    """
    found = [entry for entry in _some_entries(folder, [expected.name]) if entry.suffix.lower() in (_NOTEBOOK, _SCRIPT)]
    stem = expected.stem
    return sorted(
        (entry for entry in found if not os.path.isdir(entry)),  # noqa: PTH112
        key=lambda path: (path != expected, not _is_notebook(path), -_likeness(path, stem), path.name),
    )


def _within_bounds(files: Sequence[Path]) -> Iterator[Path]:
    """As many of the files as are read, the first in any case: it may be too large, which is then said of it."""
    size = 0
    for path in files[:MOST_READ]:
        size += _size(path)
        if size > MOST_BYTES and path != files[0]:
            return
        yield path


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:  # then it cannot be read either
        return 0


def _is_notebook(path: Path) -> bool:
    return path.suffix.lower() == _NOTEBOOK


def _likeness(path: Path, stem: str) -> float:
    return difflib.SequenceMatcher(None, path.stem.lower(), stem).ratio()


def is_folder(path: Path) -> bool:
    """Whether it is one and no link to one. What lies in a folder that must not be entered is none."""
    return os.path.isdir(path) and not os.path.islink(path)  # noqa: PTH112, PTH114


def _some_entries(folder: Path, names: Sequence[str]) -> list[Path]:
    """What lies in a student's folder; of one that holds very much, a part with all that bears one of the names."""
    found = _entries(folder, MOST_ENTRIES)
    if len(found) < MOST_ENTRIES:
        return found
    return sorted({*found, *(path for name in names if os.path.lexists(path := folder / name))})


def _entries(folder: Path, most: int | None = None) -> list[Path]:
    try:
        with os.scandir(folder) as found:
            names = (entry.name for entry in found if entry.name[0] != "." and entry.name not in _NOBODYS)
            return sorted(folder / name for name in itertools.islice(names, most))
    except OSError:
        return []
