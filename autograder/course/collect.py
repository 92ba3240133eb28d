"""What was handed in: paths become (student, file, assignment). Nothing is opened here but folders.

In a folder the student is the file's stem. A folder named like an assignment, or lying in one, holds submissions to it;
elsewhere a file's assignment is guessed from what it defines. nbgrader's `submitted` tree is known by its shape; there
folders say everything. Of two files of one student in one folder the notebook is
graded, since that is what learners are given, and the other is noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.course.submitted import Asked, HandIn, Tree, is_students_folder, is_submitted_tree, shown_name
from autograder.course.troubles import Refused
from autograder.model import Note

SUFFIXES = (".ipynb", ".py")  # the first is preferred

_IGNORED = ("expected.toml", "__pycache__", "__MACOSX", "Thumbs.db", "desktop.ini")

Guess = Callable[[Path], str | None]


@dataclass(frozen=True, slots=True)
class Collected:
    """What is to be graded, and what was met and is not."""

    hand_ins: tuple[HandIn, ...]
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    folder_says: str | None


def collect(
    paths: Sequence[Path],
    names: Sequence[str],
    guess: Guess,
    assignment: str | None = None,
    asked: Asked = lambda _: (),
) -> Collected:
    """Everything handed in under `paths`, to `assignment` or to whichever of `names` each file belongs.

    `asked` gives the names of what an assignment asks for: by them the notebook is found among several in one folder.

    Raises Refused for a path that does not exist or cannot be listed, where nothing was handed in, for a file whose
    assignment cannot be told, and for a student with two files in different folders.
    """
    notes: list[Note] = []
    hand_ins: list[HandIn] = []
    tree = Tree(names, asked, assignment, notes)
    for path in paths:
        if path.is_dir() and is_submitted_tree(path, names):
            found = list(tree.whole(path))
        elif path.is_dir() and is_students_folder(path, names):
            found = list(tree.of_student(path))
        else:
            found = _decided(list(_files(path, names, assignment, notes)), names, guess, assignment)
        if not found:
            raise Refused("usage-no-submissions", path=str(path))
        hand_ins += found
    return Collected(tuple(_one_per_student(hand_ins, notes)), tuple(notes))


def student_of(path: Path) -> str:
    """The file's stem; bytes that are no UTF-8 are shown as such, since reports are UTF-8."""
    return shown_name(path.stem)


def _files(path: Path, names: Sequence[str], assignment: str | None, notes: list[Note]) -> Iterator[_File]:
    if path.is_dir():
        yield from _in_folder(path, names, assignment, notes)
    elif not path.exists() and not path.is_symlink():
        raise Refused("usage-no-such-path", path=str(path))
    elif path.suffix.lower() not in SUFFIXES:
        raise Refused("usage-not-a-submission", path=str(path))
    else:
        yield _File(path, _named(path.resolve().parent, names))


def _in_folder(folder: Path, names: Sequence[str], assignment: str | None, notes: list[Note]) -> Iterator[_File]:
    """A folder's own files, and those of its sub-folders that are named like assignments."""
    here = _named(folder.resolve(), names)
    for entry in _listed(folder):
        if entry.is_dir() and not entry.is_symlink() and entry.name in names:
            if assignment in (None, entry.name):
                yield from _flat(entry, _listed(entry), entry.name, notes)
            else:
                notes.append(Note("note-other-assignment", {"path": str(entry), "assignment": assignment}))
        else:
            yield from _flat(folder, [entry], here, notes)


def _flat(folder: Path, entries: Iterable[Path], here: str | None, notes: list[Note]) -> Iterator[_File]:
    for entry in entries:
        # A link is handed in, but never followed: it may lead to another student's work or to the solution.
        if entry.suffix.lower() in SUFFIXES and (entry.is_symlink() or entry.is_file()):
            yield _File(entry, here)
        else:
            id_ = "note-folder" if entry.is_dir() else "note-not-a-submission"
            notes.append(Note(id_, {"path": str(folder / entry.name)}))


def _listed(folder: Path) -> list[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise Refused("usage-unreadable-folder", path=str(folder), text=error.strerror or str(error)) from error
    return [entry for entry in entries if not entry.name.startswith(".") and entry.name not in _IGNORED]


def _named(folder: Path, names: Sequence[str]) -> str | None:
    """The assignment that a folder or the one around it is named after."""
    return next((name for name in (folder.name, folder.parent.name) if name in names), None)


# ------------------------------------------------------------------------------------------------ whose, and to what


def _decided(files: Sequence[_File], names: Sequence[str], guess: Guess, assignment: str | None) -> list[HandIn]:
    """Each file with its assignment. One that tells nothing, say half a notebook, belongs where all others do."""
    told = [assignment or file.folder_says or guess(file.path) for file in files]
    known = {name for name in told if name is not None} or set(names)
    if None in told and len(known) > 1:
        lost = files[told.index(None)].path
        raise Refused("usage-which-assignment", path=str(lost), names=list(names))
    fallback = next(iter(known))
    if not files:
        return []
    return [HandIn(student_of(file.path), file.path, name or fallback) for file, name in zip(files, told, strict=True)]


def _one_per_student(hand_ins: Iterable[HandIn], notes: list[Note]) -> list[HandIn]:
    kept: dict[tuple[str, str], HandIn] = {}
    for hand_in in sorted(hand_ins, key=_preference):
        first = kept.setdefault((hand_in.student, hand_in.assignment), hand_in)
        if first.path.absolute() == hand_in.path.absolute():
            continue
        if first.path.absolute().parent != hand_in.path.absolute().parent:
            both = {"first": str(first.path), "second": str(hand_in.path)}
            raise Refused("usage-twice", student=first.student, assignment=first.assignment, **both)
        notes.append(Note("note-two-files", {"path": str(hand_in.path), "graded": first.path.name}))
    return sorted(kept.values(), key=lambda hand_in: (hand_in.assignment, hand_in.student))


def _preference(hand_in: HandIn) -> tuple[int, str]:
    return SUFFIXES.index(hand_in.path.suffix.lower()), str(hand_in.path)
