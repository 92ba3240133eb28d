"""Edits as authors write them -> spans of the reference's text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from autograder.content.reference import Reference, user_of
from autograder.content.schema import CaseTable, EditTable, MistakeTable
from autograder.model import Case, Edit

Report = Callable[[str], None]


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text after edits that do not overlap."""
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def in_pieces(reference: Reference, edits: Sequence[Edit]) -> list[tuple[str, int]]:
    """The same as whole statements, each with its first line: what edits leave alone is the same in every world."""
    starts = [block.start for block in reference.blocks[1:]]
    cuts = [start for start in starts if not any(edit.start < start < edit.end for edit in edits)]
    return [_piece(reference.text, start, end, edits) for start, end in pairwise([0, *cuts, len(reference.text)])]


def _piece(text: str, start: int, end: int, edits: Sequence[Edit]) -> tuple[str, int]:
    inside = [Edit(edit.start - start, edit.end - start, edit.text) for edit in edits if start <= edit.start < end]
    return apply(text[start:end], inside), text.count("\n", 0, start) + 1


def cases_of(table: MistakeTable, reference: Reference, report: Report) -> tuple[Case, ...]:
    """The mistake's cases, its own edit first; `report` hears of each fault, with the case where there are several."""
    written = _cases_written(table)
    if not written and not table.retired:
        report(f"mistake {table.id!r}: has no edit")
    found: list[Case] = []
    for number, case in enumerate(written, 1):
        where = f"mistake {table.id!r}" + (f", case {number}" if len(written) > 1 else "")
        made = _case(case, reference, lambda fault, where=where: report(f"{where}{fault}"))  # type: ignore[misc]
        found += [made] if made else []
    return tuple(found)


def _cases_written(table: MistakeTable) -> list[CaseTable]:
    own = CaseTable(table.find, table.replace, table.function, None, table.edits, table.with_)
    has_own = bool(table.edits) or (table.find, table.replace, table.function) != (None, None, None)
    return [own, *table.case] if has_own else list(table.case)


def _case(case: CaseTable, reference: Reference, report: Report) -> Case | None:
    """The case, or None where a fault was reported."""
    alone = EditTable(case.find, case.replace, case.function, case.source)
    written = [*([alone] if alone != EditTable() else []), *case.edits]
    if not written:
        report(": has no edit")
        return None
    edits = tuple(
        _edit(edit, reference, report, f", edit {number}" if len(written) > 1 else "")
        for number, edit in enumerate(written, 1)
    )
    complete = tuple(edit for edit in edits if edit)
    if len(complete) < len(edits) or _overlapping(complete, report) or not _parses(complete, reference, report):
        return None
    function = _function_of(complete[0], reference)
    if function is None:
        report(": edits text that no function or class uses")
        return None
    return Case(complete, function, dict(case.with_))


def _edit(edit: EditTable, reference: Reference, report: Report, where: str) -> Edit | None:
    becomes = [text for text in (edit.replace, edit.source) if text is not None]
    if (edit.find is None) == (edit.function is None):
        report(f"{where}: needs either find or function")
    elif edit.find is not None and edit.source is not None:
        report(f"{where}: find goes with replace, not with source")
    elif len(becomes) != 1:
        report(f"{where}: needs {'replace' if edit.find is not None else 'source'}")
    elif edit.find is not None:
        return _found(edit.find, becomes[0], reference, report, where)
    else:
        return _whole(edit.function or "", becomes[0], reference, report, where)
    return None


def _found(find: str, replace: str, reference: Reference, report: Report, where: str) -> Edit | None:
    places = _places(find, reference.text)
    if len(places) != 1:
        report(f"{where}: find matches {len(places)} times in solution.py")
    elif find == replace:
        report(f"{where}: replace is the same as find")
    else:
        return Edit(places[0], places[0] + len(find), replace)
    return None


def _places(find: str, text: str) -> list[int]:
    """Where it occurs; occurrences may overlap, since either could be meant."""
    places: list[int] = []
    at = text.find(find) if find else -1
    while at >= 0:
        places.append(at)
        at = text.find(find, at + 1)
    return places


def _whole(name: str, source: str, reference: Reference, report: Report, where: str) -> Edit | None:
    block = reference.definitions().get(name)
    if block is None:
        report(f"{where}: function {name!r} is not in solution.py")
        return None
    return Edit(block.start, block.end, source.strip("\n"))


def _overlapping(edits: tuple[Edit, ...], report: Report) -> bool:
    ordered = sorted(edits, key=lambda edit: edit.start)
    overlap = any(second.start < first.end for first, second in pairwise(ordered))
    if overlap:
        report(": its edits overlap")
    return overlap


def _parses(edits: tuple[Edit, ...], reference: Reference, report: Report) -> bool:
    """Whether the edited text is Python that still defines what the statements edited away defined."""
    start, end = _surroundings(edits, reference)
    inside = tuple(Edit(edit.start - start, edit.end - start, edit.text) for edit in edits)
    try:
        tree = ast.parse(apply(reference.text[start:end], inside))
    except SyntaxError as error:
        report(f": the edited text is not Python: {error.msg}")
        return False
    defined = {getattr(node, "name", "") for node in tree.body}
    touched = [name for name, block in reference.definitions().items() if start <= block.start < end]
    lost = [name for name in touched if name not in defined]
    if lost:
        report(f": the edited text does not define {', '.join(lost)}")
    return not lost


def _surroundings(edits: tuple[Edit, ...], reference: Reference) -> tuple[int, int]:
    """Whole statements around the edits: they parse alone as they do in the file, in a tenth of the time."""
    start, end = min(edit.start for edit in edits), max(edit.end for edit in edits)
    touched = [block for block in reference.blocks if block.start <= end and start <= block.end]
    return min([start, *(block.start for block in touched)]), max([end, *(block.end for block in touched)])


def _function_of(edit: Edit, reference: Reference) -> str | None:
    block = reference.block_at(edit.start, edit.end)
    if block is None:
        return None
    return block.binds[0] if block.kind != "other" else user_of(block, reference)
