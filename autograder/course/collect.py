"""What was handed in: paths become (student, file, assignment). Nothing is opened here but folders.

In a folder the student is the file's stem. A folder named like an assignment, or lying in one, holds submissions to it;
elsewhere a file's assignment is guessed from what it defines. nbgrader's `submitted` tree is known by its shape; there
folders say everything. Of two files of one student in one folder the notebook is
graded, since that is what learners are given, and the other is noted.
"""

from __future__ import annotations

import os
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
        is_folder = os.path.isdir(path)  # noqa: PTH112 - a name may be too long to be asked about
        if is_folder and is_submitted_tree(path, names):
            notes += _not_entered(path, names)
            found = list(tree.whole(path))
        elif is_folder and is_students_folder(path, names):
            found = list(tree.of_student(path))
        else:
            files = list(_files(path, names, assignment, notes))
            found = list(_decided(files, _Guessing(names, guess, assignment), notes))
        if not found:
            raise Refused("usage-no-submissions", path=str(path))
        hand_ins += found
    return Collected(tuple(_one_per_student(hand_ins, notes)), tuple(notes))


def _not_entered(tree: Path, names: Sequence[str]) -> Iterator[Note]:
    """Links and hidden folders where students' folders, or their submissions, should be: nobody looks into them."""
    students = [entry for entry in _sorted(tree) if entry.is_dir()]
    submissions = [student / name for student in students if not student.is_symlink() for name in names]
    for folder in [*students, *submissions]:
        if folder.is_symlink():
            yield Note("note-link", {"path": shown_name(str(folder))})
        elif _is_hidden(folder) and any((folder / name).is_dir() for name in names):
            yield Note("note-hidden", {"path": shown_name(str(folder))})


def student_of(path: Path) -> str:
    """The file's stem; bytes that are no UTF-8 are shown as such, since reports are UTF-8."""
    return shown_name(path.stem)


def _files(path: Path, names: Sequence[str], assignment: str | None, notes: list[Note]) -> Iterator[_File]:
    if os.path.isdir(path):  # noqa: PTH112
        yield from _in_folder(path, names, assignment, notes)
    elif not os.path.lexists(path):
        raise Refused("usage-no-such-path", path=str(path))
    elif path.suffix.lower() not in SUFFIXES:
        raise Refused("usage-not-a-submission", path=str(path))
    else:
        yield _File(path, _named(path.parent.resolve(), names))  # of a link, where it lies and not where it leads


def _in_folder(folder: Path, names: Sequence[str], assignment: str | None, notes: list[Note]) -> Iterator[_File]:
    """A folder's own files, and those of its sub-folders that are named like assignments."""
    here = _named(folder.resolve(), names)
    for entry in _listed(folder):
        if entry.is_dir() and not entry.is_symlink() and entry.name in names:
            if assignment in (None, entry.name):
                yield from _flat(entry, _listed(entry), entry.name, notes)
            else:
                notes.append(Note("note-other-assignment", {"path": shown_name(str(entry)), "assignment": assignment}))
        else:
            yield from _flat(folder, [entry], here, notes)


def _flat(folder: Path, entries: Iterable[Path], here: str | None, notes: list[Note]) -> Iterator[_File]:
    for entry in entries:
        # A link is handed in, but never followed: it may lead to another student's work or to the solution.
        if _is_hidden(entry):
            notes.append(Note("note-hidden", {"path": str(folder / entry.name)}))
        elif entry.suffix.lower() in SUFFIXES and (entry.is_symlink() or entry.is_file()):
            yield _File(entry, here)
        else:
            id_ = "note-folder" if entry.is_dir() else "note-not-a-submission"
            notes.append(Note(id_, {"path": shown_name(str(folder / entry.name))}))


def _listed(folder: Path) -> list[Path]:
    entries = [entry for entry in _sorted(folder) if entry.name not in _IGNORED]
    return [entry for entry in entries if not (_is_hidden(entry) and _is_nobodys(entry))]


def _sorted(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise Refused("usage-unreadable-folder", path=str(folder), text=error.strerror or str(error)) from error


def _is_hidden(entry: Path) -> bool:
    return entry.name.startswith(".")


def _is_nobodys(entry: Path) -> bool:
    """Whether what is hidden was put there by a system or an editor: macOS's halves of files, Emacs's locks."""
    return entry.suffix.lower() not in SUFFIXES or entry.name.startswith(("._", ".#"))


def _named(folder: Path, names: Sequence[str]) -> str | None:
    """The assignment that a folder or the one around it is named after."""
    return next((name for name in (folder.name, folder.parent.name) if name in names), None)


# ------------------------------------------------------------------------------------------------ whose, and to what


@dataclass(frozen=True, slots=True)
class _Guessing:
    names: Sequence[str]
    guess: Guess
    assignment: str | None

    def told(self, file: _File) -> str | None:
        return self.assignment or file.folder_says or self.guess(file.path)


def _decided(files: Sequence[_File], how: _Guessing, notes: list[Note]) -> Iterator[HandIn]:
    """Each file with its assignment. One that tells nothing, say half a notebook, belongs where all others do.

    Where the others belong to several, it is noted: nobody's file keeps the others from being graded.
    """
    told = [how.told(file) for file in files]
    known = {name for name in told if name is not None}
    fallback = next(iter(known)) if len(known) == 1 else None
    for file, name in zip(files, [name or fallback for name in told], strict=True):
        if name is not None:
            yield HandIn(student_of(file.path), file.path, name)
        elif known:
            notes.append(Note("note-which-assignment", {"path": str(file.path)}))
        elif len(how.names) == 1:
            yield HandIn(student_of(file.path), file.path, how.names[0])
        else:
            raise Refused("usage-which-assignment", path=str(file.path), names=list(how.names))


def _one_per_student(hand_ins: Iterable[HandIn], notes: list[Note]) -> list[HandIn]:
    kept: dict[tuple[str, str], HandIn] = {}
    for hand_in in sorted(hand_ins, key=_preference):
        first = kept.setdefault((hand_in.student, hand_in.assignment), hand_in)
        if first.path.absolute() == hand_in.path.absolute():
            continue
        if first.path.absolute().parent != hand_in.path.absolute().parent:
            both = {"first": str(first.path), "second": str(hand_in.path)}
            raise Refused("usage-twice", student=first.student, assignment=first.assignment, **both)
        names = {"path": shown_name(str(hand_in.path)), "graded": shown_name(first.path.name)}
        notes.append(Note("note-two-files", names))
    return sorted(kept.values(), key=lambda hand_in: (hand_in.assignment, hand_in.student))


def _preference(hand_in: HandIn) -> tuple[int, str]:
    return SUFFIXES.index(hand_in.path.suffix.lower()), str(hand_in.path)
