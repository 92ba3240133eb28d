"""Which cells of a notebook are the learner's, and where the kit's own belong.

nbgrader's marks decide. A learner may have copied, split, deleted, reordered or retyped cells, by accident or not: what
was handed out (`released`, by grade_id) outweighs what a copy says of itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from autograder.model import Note
from autograder.notebooks.cells import RawCell

Released = Mapping[str, RawCell]

_UNWRITTEN = "raise NotImplementedError"


class Selected(msgspec.Struct, frozen=True):
    """A code cell to run, and whether it is the kit's own."""

    cell: RawCell
    is_kits: bool


def select(raw: Sequence[RawCell], template: Sequence[RawCell] | None) -> tuple[list[Selected], list[Note]]:
    """The code cells to run, in order, and what was odd about them.

    Without a template the learner's copies of the kit's own cells are run where they stand: answers need their imports.
    """
    released = {cell.mark.grade_id: cell for cell in template or () if cell.mark}
    notes: list[Note] = []
    retyped = [_retyped(cell, released, notes) for cell in raw]
    cells = _without_spares([cell for cell in retyped if cell.is_code], released, notes)
    if template is None:
        return [Selected(cell, _is_kits(cell, released)) for cell in cells], notes
    _note_missing(cells, released, notes)
    return _with_kits(cells, released, notes), notes


def _grade_id(cell: RawCell) -> str | None:
    return cell.mark.grade_id if cell.mark else None


def _original(cell: RawCell, released: Released) -> RawCell:
    """The cell as handed out, or itself."""
    return released.get(_grade_id(cell) or "", cell)


def _is_kits(cell: RawCell, released: Released) -> bool:
    """Locked, or there for its points, and not to be answered."""
    mark = _original(cell, released).mark
    return mark is not None and (mark.locked or mark.grade) and not mark.solution


def _retyped(cell: RawCell, released: Released, notes: list[Note]) -> RawCell:
    """A key pressed by accident turns code into text: an answer has the type that it was handed out in."""
    original = _original(cell, released)
    if cell.mark is None or not (original.mark and original.mark.solution):
        return cell
    stated = original.mark.cell_type
    should_be_code = original.is_code if original is not cell else cell.is_code if stated is None else stated == "code"
    if should_be_code and not cell.is_code:
        notes.append(Note("note-answer-not-code", {"cell": cell.mark.grade_id}))
    return replace(cell, is_code=should_be_code)


def _without_spares(cells: list[RawCell], released: Released, notes: list[Note]) -> list[RawCell]:
    """Of an answer that is there several times, all that was written stays.

    Run from the top, a notebook runs every copy and the last definition counts; a cell that was split needs both of
    its halves. But a copy that is empty or still unwritten would only undo an answer.
    """
    answers = [cell for cell in cells if cell.mark and not _is_kits(cell, released)]
    written = {_grade_id(cell) for cell in answers if not _is_unwritten(cell, released)}
    twice = [name for name, copies in Counter(map(_grade_id, answers)).items() if copies > 1]
    notes += [Note("note-answer-twice", {"cell": name}) for name in twice]
    spared = {*twice} & written
    return [cell for cell in cells if _grade_id(cell) not in spared or not _is_unwritten(cell, released)]


def _is_unwritten(cell: RawCell, released: Released) -> bool:
    original = _original(cell, released)
    untouched = original is not cell and cell.source.strip() == original.source.strip()
    return untouched or not cell.source.strip() or _UNWRITTEN in cell.source


def _note_missing(cells: list[RawCell], released: Released, notes: list[Note]) -> None:
    there = {_grade_id(cell) for cell in cells}
    for name, cell in released.items():
        if cell.is_code and cell.mark and cell.mark.solution and name not in there:
            notes.append(Note("note-answer-missing", {"cell": name}))


def _with_kits(cells: list[RawCell], released: Released, notes: list[Note]) -> list[Selected]:
    """Each of the kit's cells from our copy and once: where the learner's copy stood, or where it belongs."""
    kept: list[Selected] = []
    there: set[str] = set()
    for cell in cells:
        name = _grade_id(cell) or ""
        if not _is_kits(cell, released):
            kept.append(Selected(cell, is_kits=False))
        elif name not in released:
            notes.append(Note("note-kit-cell-unknown", {"cell": name}))
        elif name not in there:
            there.add(name)
            kept.append(Selected(replace(released[name], label=name), is_kits=True))
    earlier: set[str] = set()
    for name, cell in released.items():
        if cell.is_code and _is_kits(cell, released) and name not in there:
            places = [place for place, other in enumerate(kept, 1) if _grade_id(other.cell) in earlier]
            kept.insert(max(places, default=0), Selected(replace(cell, label=name), is_kits=True))
        earlier.add(name)
    return kept
