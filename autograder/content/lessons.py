"""lesson.xx.md and cells.py: prose with slots, and the demonstrations that stand in some of them.

A slot stands alone on its line: `{solution: name}`, `{cell: name}`, `{check: name}`, `{ask: name}`, `{write: name}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from autograder.content import demonstrations
from autograder.content.demonstrations import Demonstrations
from autograder.content.files import Faults, read_text, read_toml, tables
from autograder.content.spec import read_spec
from autograder.content.texts import read_texts
from autograder.model import LANGUAGES, ContentError

Kind = Literal["prose", "solution", "cell", "check", "ask", "write"]
SLOTS: tuple[Kind, ...] = ("solution", "cell", "check", "ask", "write")

_FILE = re.compile(r"lesson\.([a-z]{2})\.md")
_SLOT = re.compile(r"\{\s*(\w+)\s*:\s*(\w+)\s*\}")
_ALMOST = re.compile(r"\{.*\}")
_FENCE = re.compile(r"\s*(```|~~~)")
_MAGIC = re.compile(r"%%")  # after a `#`, which every line of prose has in a script, it would begin a cell


class Piece(msgspec.Struct, frozen=True):
    """A stretch of prose, or a slot with its name as text; `line` is the first one of the file that it stands on."""

    kind: Kind
    text: str
    line: int

    @property
    def slot(self) -> str:
        """As it is written."""
        return f"{{{self.kind}: {self.text}}}"


class Lessons(msgspec.Struct, frozen=True):
    """An assignment's lesson in each language, and the demonstrations of all of them."""

    pieces: dict[str, tuple[Piece, ...]]
    demonstrations: Demonstrations


class Known(msgspec.Struct, frozen=True):
    """What slots may name; None where it could not be read, so that one fault does not bring others."""

    functions: tuple[str, ...] | None
    questions: tuple[str, ...]
    cells: tuple[str, ...] | None


def lessons(folder: Path) -> Lessons:
    """Those of an authored folder. Raises ContentError where one is missing, or for any fault in them."""
    faults = Faults(folder)
    spec = read_spec(faults)
    _, raw = read_texts(faults)
    found = read_lessons(faults, spec.names if spec else None, raw, required=True)
    if faults.lines:
        raise ContentError(*faults.lines)
    return found


def read_lessons(
    faults: Faults, functions: tuple[str, ...] | None, texts: Mapping[str, Mapping[str, object]], *, required: bool
) -> Lessons:
    """The lessons of a folder, checked: none, unless they are required, or one in each language."""
    there = sorted(match[1] for entry in faults.folder.iterdir() if (match := _FILE.fullmatch(entry.name)))
    languages = dict.fromkeys([*LANGUAGES, *there]) if there or required else ()
    shown = demonstrations.read(faults, texts)
    known = Known(functions, _questions(faults), None if shown is None else tuple(cell.name for cell in shown.cells))
    pieces = {language: _read(f"lesson.{language}.md", known, faults) for language in languages}
    read = {language: found for language, found in pieces.items() if found is not None}
    _check_same(read, faults)
    if shown is not None and read:
        used = {piece.text for found in read.values() for piece in found if piece.kind == "cell"}
        demonstrations.check_used(shown, used, faults)
    return Lessons(read, shown or Demonstrations())


def _questions(faults: Faults) -> tuple[str, ...]:
    if not (faults.folder / "questions.toml").is_file():
        return ()
    return tuple(tables(read_toml("questions.toml", faults)))


def _read(file: str, known: Known, faults: Faults) -> tuple[Piece, ...] | None:
    text = read_text(file, faults)
    if text is None:
        return None
    pieces = tuple(_pieces(text, file, faults))
    _check_names(pieces, known, file, faults)
    _check_once(pieces, file, faults)
    if known.functions is not None:
        _check_complete(pieces, known.functions, file, faults)
    return pieces


def _pieces(text: str, file: str, faults: Faults) -> Iterator[Piece]:
    """Prose and slots in order; a line in a code block is prose, whatever it looks like."""
    prose: list[tuple[int, str]] = []
    in_code = False
    for number, line in enumerate(text.split("\n"), 1):
        if _MAGIC.match(line):
            faults.add(file, f"line {number}: begins with %%, which begins a cell in a script")
        slot = None if in_code else _slot(line, number, file, faults)
        in_code ^= bool(_FENCE.match(line))
        if slot:
            yield from _prose(prose)
            yield slot
            prose = []
        else:
            prose.append((number, line))
    yield from _prose(prose)


def _slot(line: str, number: int, file: str, faults: Faults) -> Piece | None:
    found = _SLOT.fullmatch(line.strip())
    for kind in SLOTS:
        if found and found[1] == kind:
            return Piece(kind, found[2], number)
    if found:
        faults.add(file, f"line {number}: unknown slot kind {found[1]!r}; there is: {', '.join(SLOTS)}")
    elif _ALMOST.fullmatch(line.strip()):
        faults.add(file, f"line {number}: {line.strip()} is no slot such as {{check: name}}")
    return None


def _prose(lines: list[tuple[int, str]]) -> Iterator[Piece]:
    """One piece, without the empty lines around it; none where all are empty."""
    filled = [place for place, (_, line) in enumerate(lines) if line.strip()]
    if filled:
        kept = lines[filled[0] : filled[-1] + 1]
        yield Piece("prose", "\n".join(line.rstrip() for _, line in kept), kept[0][0])


def _slots(pieces: Sequence[Piece]) -> list[Piece]:
    return [piece for piece in pieces if piece.kind != "prose"]


def _check_names(pieces: tuple[Piece, ...], known: Known, file: str, faults: Faults) -> None:
    names: dict[Kind, tuple[tuple[str, ...] | None, str]] = {
        "solution": (known.functions, "function"),
        "check": (known.functions, "function"),
        "cell": (known.cells, "cell of cells.py"),
        "ask": (known.questions, "question"),
    }
    for piece in _slots(pieces):
        there, called = names.get(piece.kind, (None, ""))
        if there is not None and piece.text not in there:
            faults.add(file, f"line {piece.line}: {piece.slot}: unknown {called} {piece.text!r}")


def _check_once(pieces: tuple[Piece, ...], file: str, faults: Faults) -> None:
    first: dict[str, int] = {}
    for piece in _slots(pieces):
        line = first.setdefault(piece.slot, piece.line)
        if line != piece.line:
            faults.add(file, f"line {piece.line}: {piece.slot} is already on line {line}")


def _check_complete(pieces: tuple[Piece, ...], functions: tuple[str, ...], file: str, faults: Faults) -> None:
    """Each function is written somewhere, and checked after that."""
    places = {piece.slot: piece.line for piece in reversed(_slots(pieces))}
    for function in functions:
        written, checked = (f"{{{kind}: {function}}}" for kind in ("solution", "check"))
        for slot in (written, checked):
            if slot not in places:
                faults.add(file, f"{slot} is missing")
        if places.get(written, 0) > places.get(checked, len(pieces) and pieces[-1].line):
            faults.add(file, f"line {places[checked]}: {checked} stands before {written}")


def _check_same(read: Mapping[str, tuple[Piece, ...]], faults: Faults) -> None:
    """Every language has the slots of the first one, in its order. Only the first difference is told."""
    first, *others = read or [""]
    wanted = _slots(read.get(first, ()))
    for language in others:
        for mine, theirs in zip([*_slots(read[language]), None], [*wanted, None], strict=False):
            if (mine and mine.slot) != (theirs and theirs.slot):
                faults.add(f"lesson.{language}.md", _difference(mine, theirs, f"lesson.{first}.md"))
                break


def _difference(mine: Piece | None, theirs: Piece | None, other: str) -> str:
    there = f"{theirs.slot} on line {theirs.line}" if theirs else "no further slot"
    if mine is None:
        return f"ends without a further slot, where {other} has {there}"
    return f"line {mine.line}: {mine.slot}, where {other} has {there}"
