"""What a learner wrote, by the answer it is to: for people to read beside the kit's own cells. Nothing of it is run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from autograder.notebooks.cells import RawCell, raw_file, read_bytes
from autograder.notebooks.magics import clean, parses

_UNWRITTEN = "raise NotImplementedError"
_BETWEEN = "\n\n\n"  # copies of one answer, or the halves of one that was split


class Own(msgspec.Struct, frozen=True):
    """A code cell that the learner added, after the kit's cell `after` ("" where none is before it)."""

    after: str
    source: str


class Written(msgspec.Struct, frozen=True):
    """What one file says it is, and what was written in it. Keys of `answers` are grade ids."""

    assignment: str | None = None
    answers: dict[str, str] = {}
    own: tuple[Own, ...] = ()

    @property
    def attempted(self) -> frozenset[str]:
        """The answers that are more than what was handed out, as far as the text tells."""
        return frozenset(name for name, source in self.answers.items() if _is_written(source))


def written(path: Path) -> Written:
    """What a file holds; nothing for one that cannot be read. Never raises."""
    try:
        return _written(read_bytes(path), path)
    except Exception:  # noqa: BLE001 - it is asked about many students' files at once, and one must not stop the others
        return Written()


def _written(content: bytes, path: Path) -> Written:
    cells, assignment = raw_file(content, path.name)
    answers = {name: _BETWEEN.join(copies) for name, copies in _copies(cells).items()}
    marked = any(cell.mark for cell in cells)
    return Written(
        assignment=assignment,
        answers=answers if marked else dict(_definitions(cells)),
        own=tuple(_own(cells)) if marked else (),
    )


def _copies(cells: Sequence[RawCell]) -> dict[str, list[str]]:
    """Every copy of an answer; those still unwritten only where no other is there."""
    copies: dict[str, list[str]] = {}
    for cell in cells:
        if cell.mark and cell.mark.solution:
            copies.setdefault(cell.mark.grade_id, []).append(cell.source)
    return {name: [source for source in own if _is_written(source)] or own[:1] for name, own in copies.items()}


def _is_written(source: str) -> bool:
    return bool(source.strip()) and _UNWRITTEN not in source


def _own(cells: Sequence[RawCell]) -> Iterator[Own]:
    after = ""
    for cell in cells:
        if cell.mark:
            after = cell.mark.grade_id
        elif cell.is_code and cell.source.strip():
            yield Own(after, cell.source)


def _definitions(cells: Sequence[RawCell]) -> Iterator[tuple[str, str]]:
    """Where no cell is marked: the text of each function and class, by its name; of two the later."""
    for cell in cells:
        source = clean(cell.source).source if cell.is_code else ""
        if not parses(source):
            continue
        lines = source.split("\n")
        for node in _parsed(source):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                yield node.name, "\n".join(lines[first - 1 : node.end_lineno])


def _parsed(source: str) -> list[ast.stmt]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source).body
