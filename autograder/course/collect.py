"""What was handed in: paths become (student, file, assignment). Nothing is opened here but folders.

In a folder the student is the file's stem. A folder named like an assignment, or lying in one, holds submissions to it;
elsewhere a file's assignment is guessed from what it defines. nbgrader's `submitted` tree is known by its shape; there
folders say everything. Learners choose the names of what they hand in: where files and folders lie side by side all
are graded, and whoever seems to have handed in twice keeps nobody else from being graded.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.course.submitted import Asked, HandIn, Tree, is_folder, is_students_folder, shown_name, students_folders
from autograder.course.troubles import Refused
from autograder.model import Note

SUFFIXES = (".ipynb", ".py")  # the first is preferred
MOST_NAMES = 8  # in one line

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


@dataclass(frozen=True, slots=True)
class _Found:
    """A file to grade: under which of the paths given, and how deep below it."""

    hand_in: HandIn
    given: int
    depth: int

    @property
    def place(self) -> Path:
        """The same for one file, however it was come to."""
        return self.hand_in.path.parent.resolve() / self.hand_in.path.name

    @property
    def preference(self) -> tuple[int, int, int, str]:
        """The least of two is rather graded: what lies in the open, then a student's own folder, then a notebook."""
        path = self.hand_in.path
        in_anothers = self.depth > 0 and self.hand_in.folder is None
        return self.depth > 0, in_anothers, SUFFIXES.index(path.suffix.lower()), str(path)


def collect(
    paths: Sequence[Path],
    names: Sequence[str],
    guess: Guess,
    assignment: str | None = None,
    asked: Asked = lambda _: (),
) -> Collected:
    """Everything handed in under `paths`, to `assignment` or to whichever of `names` each file belongs.

    `asked` gives the names of what an assignment asks for: by them the notebook is found among several in one folder.

    Raises Refused for a path that does not exist or cannot be listed, where nothing was handed in, and for a file whose
    assignment cannot be told.
    """
    notes: list[Note] = []
    found: list[_Found] = []
    tree = Tree(names, asked, assignment, notes)
    how = _Guessing(names, guess, assignment)
    for given, path in enumerate(paths):
        under = list(_under(path, tree, how))
        if not under:
            raise Refused("usage-no-submissions", path=str(path))
        found += [_Found(hand_in, given, _depth(hand_in, path)) for hand_in in under]
    return Collected(tuple(_one_per_student(found, notes)), tuple(notes))


def _under(path: Path, tree: Tree, how: _Guessing) -> Iterator[HandIn]:
    if _is_dir(path) and is_students_folder(path, tree.names):
        yield from tree.of_student(path)
        return
    folders = students_folders(path, tree.names) if _is_dir(path) else []
    files = list(_files(path, tree, folders))
    tree.notes.extend(_side_by_side(path, files, folders))
    for folder in folders:
        yield from tree.of_student(folder)
    yield from _decided(files, how, tree.notes)


def _side_by_side(path: Path, files: Sequence[_File], students: Sequence[Path]) -> Iterator[Note]:
    """Where several ways to hand in are mixed, the odd ones are named: whoever looks knows whose they are."""
    inside = dict.fromkeys(file.path.parent for file in files if file.path.parent != path)
    kinds = [[file.path for file in files if file.path.parent == path], list(inside), list(students)]
    if not _is_dir(path) or sum(map(bool, kinds)) < 2:  # noqa: PLR2004
        return
    most = max(kinds, key=len)
    odd = [shown_name(entry.name) for kind in kinds if kind is not most for entry in kind]
    more = ["…"] if len(odd) > MOST_NAMES else []
    yield Note("note-mixed", {"path": shown_name(str(path)), "names": [*odd[:MOST_NAMES], *more]})


def _depth(hand_in: HandIn, path: Path) -> int:
    return len(hand_in.path.parts) - len(path.parts) - 1 if _is_dir(path) and hand_in.path.is_relative_to(path) else 0


def _is_dir(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 - a name may be too long to be asked about, or nobody's to ask


def _not_entered(folder: Path, names: Sequence[str]) -> Iterator[Note]:
    """Links and hidden folders where students' submissions, or their folders, should be: nobody looks into them."""
    for student in [entry for entry in _sorted(folder) if is_folder(entry)]:
        if _is_hidden(student) and any(_is_dir(student / name) for name in names):
            yield Note("note-hidden", {"path": shown_name(str(student))})
        links = [student / name for name in names if os.path.islink(student / name)]  # noqa: PTH114
        yield from (Note("note-link", {"path": shown_name(str(link))}) for link in links)


def student_of(path: Path) -> str:
    """The file's stem; bytes that are no UTF-8 are shown as such, since reports are UTF-8."""
    return shown_name(path.stem)


def _files(path: Path, tree: Tree, students: Sequence[Path]) -> Iterator[_File]:
    if _is_dir(path):
        tree.notes.extend(_not_entered(path, tree.names))
        yield from _in_folder(path, tree, students)
    elif not os.path.lexists(path):
        raise Refused("usage-no-such-path", path=str(path))
    elif path.suffix.lower() not in SUFFIXES:
        raise Refused("usage-not-a-submission", path=str(path))
    else:
        yield _File(path, _named(path.parent.resolve(), tree.names))  # of a link, where it lies and not where it leads


def _in_folder(folder: Path, tree: Tree, students: Sequence[Path]) -> Iterator[_File]:
    """A folder's own files, and those of its sub-folders that are named like assignments."""
    here, theirs = _named(folder.resolve(), tree.names), {*students}
    for entry in [entry for entry in _listed(folder) if entry not in theirs]:
        if is_folder(entry) and entry.name in tree.names:
            if tree.only in (None, entry.name):
                yield from _flat(entry, _some_listed(entry, tree.notes), entry.name, tree.notes)
            else:
                place = {"path": shown_name(str(entry)), "assignment": tree.only}
                tree.notes.append(Note("note-other-assignment", place))
        else:
            yield from _flat(folder, [entry], here, tree.notes)


def _flat(folder: Path, entries: Iterable[Path], here: str | None, notes: list[Note]) -> Iterator[_File]:
    for entry in entries:
        # A link is handed in, but never followed: it may lead to another student's work or to the solution.
        if _is_hidden(entry):
            notes.append(Note("note-hidden", {"path": shown_name(str(folder / entry.name))}))
        elif entry.suffix.lower() in SUFFIXES and (entry.is_symlink() or entry.is_file()):
            yield _File(entry, here)
        else:
            id_ = ("note-link" if entry.is_symlink() else "note-folder") if _is_dir(entry) else "note-not-a-submission"
            notes.append(Note(id_, {"path": shown_name(str(folder / entry.name))}))


def _listed(folder: Path) -> list[Path]:
    entries = [entry for entry in _sorted(folder) if entry.name not in _IGNORED]
    return [entry for entry in entries if not (_is_hidden(entry) and _is_nobodys(entry))]


def _some_listed(folder: Path, notes: list[Note]) -> list[Path]:
    """As `_listed`, of a folder that somebody handed in: one that cannot be read keeps no other from being graded."""
    try:
        return _listed(folder)
    except Refused as refused:
        text = refused.message.with_["text"]
        notes.append(Note("note-unreadable-folder", {"path": shown_name(str(folder)), "text": text}))
        return []


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
            notes.append(Note("note-which-assignment", {"path": shown_name(str(file.path))}))
        elif len(how.names) == 1:
            yield HandIn(student_of(file.path), file.path, how.names[0])
        else:
            raise Refused("usage-which-assignment", path=str(file.path), names=list(how.names))


def _one_per_student(found: Iterable[_Found], notes: list[Note]) -> list[HandIn]:
    grouped: dict[tuple[str, str], dict[Path, _Found]] = {}
    for one in sorted(found, key=lambda one: one.preference):
        grouped.setdefault((one.hand_in.student, one.hand_in.assignment), {}).setdefault(one.place, one)
    kept = [_of_one_student([*own.values()], notes) for own in grouped.values()]
    return sorted(kept, key=lambda hand_in: (hand_in.assignment, hand_in.student))


def _of_one_student(found: Sequence[_Found], notes: list[Note]) -> HandIn:
    """The first, and a line for each of the others. From two of the paths given, two people may have one name."""
    first, *others = found
    hand_in, graded = first.hand_in, first.hand_in.path
    elsewhere = next((other.hand_in.path for other in others if other.given != first.given), None)
    if elsewhere is not None:
        names = {"first": shown_name(str(graded)), "second": shown_name(str(elsewhere))}
        return replace(hand_in, problem=Note("handed-in-twice", names))
    for path in [other.hand_in.path for other in others]:
        if path.parent == graded.parent:
            notes.append(Note("note-two-files", {"path": shown_name(str(path)), "graded": shown_name(graded.name)}))
        else:
            whose = {"path": shown_name(str(path)), "student": hand_in.student, "graded": shown_name(str(graded))}
            notes.append(Note("note-twice", whose))
    return hand_in
