"""A file handed in -> a submission: the learner's code, and the kit's own cells from our copy."""

from __future__ import annotations

import hashlib
from pathlib import Path

from msgspec.structs import replace

from autograder.model import Assignment, Cell, ContentError, Note, Submission
from autograder.notebooks.cells import RawCell, Unreadable, raw_cells, read_bytes
from autograder.notebooks.magics import check, clean
from autograder.notebooks.selection import select

_LONGEST_LINE = 120  # characters of a line that is quoted
_MOST_NOTES = 50  # more than anyone reads; whoever makes a file decides how many there would be


def read(path: Path, assignment: Assignment, *, student: str | None = None, template: Path | None = None) -> Submission:
    """What a student handed in, as code; `problem` is set where there is none to be had.

    With `template`, the kit's notebook as handed out, its own cells stand where the student's copies of them stood or
    should have stood; without it the student's copies do. A file that carries none of the kit's marks, say a plain
    script, is taken as it is. `student` defaults to the file's stem.
    Raises ContentError for a template that cannot be read, and nothing for a file handed in.
    """
    ours = None if template is None else _template(template)
    found = Submission(path.stem if student is None else student, assignment.name, path, sha256="")
    try:
        content = read_bytes(path)
        found = replace(found, sha256=hashlib.sha256(content).hexdigest())
        cells, notes = _code(content, path.name, ours or ())
    except Unreadable as error:
        return replace(found, problem=error.note)
    return replace(found, cells=cells, notes=notes)


def trouble_with(path: Path) -> Note | None:
    """Why no code can be had from a file, whatever it should answer; None where it can."""
    try:
        _code(read_bytes(path), path.name, ())
    except Unreadable as error:
        return error.note
    return None


def _code(content: bytes, name: str, template: tuple[RawCell, ...]) -> tuple[tuple[Cell, ...], tuple[Note, ...]]:
    """The cells to run, and what was odd. Raises Unreadable."""
    raw = raw_cells(content, name)
    cells, notes = _cells(raw, template if _was_made_from(template, raw) else None)
    if raw[0].plain:
        _check_syntax("".join(cell.source for cell in cells))
    return cells, notes


def _template(path: Path) -> tuple[RawCell, ...]:
    try:
        return raw_cells(read_bytes(path), path.name)
    except Unreadable as error:
        raise ContentError(f"{path}: cannot be read: {error.note.id}") from error


def _was_made_from(template: tuple[RawCell, ...], raw: tuple[RawCell, ...]) -> bool:
    ours = {cell.mark.grade_id for cell in template if cell.mark}
    return any(cell.mark is not None and cell.mark.grade_id in ours for cell in raw)


def _cells(raw: tuple[RawCell, ...], template: tuple[RawCell, ...] | None) -> tuple[tuple[Cell, ...], tuple[Note, ...]]:
    """The cells to run, without IPython's lines, and what was odd about the file."""
    selected, notes = select(raw, template)
    if not any(chosen.cell.source.strip() for chosen in selected if not chosen.is_kits):
        raise Unreadable("empty")
    cells: list[Cell] = []
    for chosen in selected:
        cleaned, raw_cell = clean(chosen.cell.source), chosen.cell
        if cleaned.dropped and not chosen.is_kits:
            notes.append(Note("note-magic-dropped", {"cell": raw_cell.label, "magic": cleaned.dropped}))
        if cleaned.source.strip():
            cells.append(Cell(raw_cell.label, cleaned.source, raw_cell.first_line, not chosen.is_kits))
    return tuple(cells), tuple(notes[:_MOST_NOTES])


def _check_syntax(source: str) -> None:
    """A plain script is one piece: where it is not Python, nothing of it runs. Raises Unreadable."""
    try:
        check(source)
    except SyntaxError as error:
        line = error.lineno or 1
        text = [*source.split("\n"), ""][line - 1 : line]
        raise Unreadable("syntax-error", line=line, text="".join(text).strip()[:_LONGEST_LINE]) from error
    except (RecursionError, MemoryError) as error:
        raise Unreadable("too-deep") from error
    except ValueError as error:  # null bytes, before Python 3.12
        line = source[: source.find("\0")].count("\n") + 1
        raise Unreadable("syntax-error", line=line, text="") from error
