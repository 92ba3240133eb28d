"""A file's bytes -> its cells as written: a notebook's, a percent script's, or one for a plain script.

Files come from strangers: whatever is wrong with one becomes an `Unreadable`, whose note says what.
"""

from __future__ import annotations

import io
import json
import os
import re
import stat
import tokenize
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from autograder.model import Note

MAX_FILE = 16 * 2**20  # a notebook with many pictures has 10 MB; read, nested lists take thirty times their size
MAX_CODE = 2**17  # with the kit's own text; three times what is handed out
MAX_CELL = 2**16  # of code, also as a plain script; Python's parser takes a second over that much of a nasty f-string
MAX_CELLS = 5000
MAX_PARTS = 2**20  # brackets, most of which open a list or a table: read, an empty one takes 70 bytes
MAX_NAME = 100  # characters of what a notebook calls something; the kit's longest has 42

_NOTEBOOK_FORMAT = 4
_HIGHEST_VERSION = 99  # a number of any length could stand there
_MARKER = re.compile(r"#[ \t]*%%+(?:[ \t].*)?|#[ \t]*In\[[ \d]*\]:?[ \t]*")  # percent format; what nbconvert writes
_PROSE = re.compile(r"\[(markdown|md|raw)\]")
_NBGRADER = re.compile(r"\bnbgrader=(?=\{)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOT_ELSEWHERE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # opening a pipe would wait for a writer


class Unreadable(Exception):
    """No code can be had from a file; `note` says why."""

    def __init__(self, id_: str, **with_: Any) -> None:
        super().__init__(id_)
        self.note = Note(id_, with_)


class Mark(msgspec.Struct, frozen=True):
    """What nbgrader's metadata says of a cell."""

    grade_id: str
    locked: bool = False
    solution: bool = False
    grade: bool = False
    cell_type: str | None = None  # at release


class RawCell(msgspec.Struct, frozen=True):
    """A cell as written. Labels count a notebook's code cells, as its prompts do after running it from the top."""

    label: str
    source: str
    is_code: bool = True
    first_line: int = 1
    mark: Mark | None = None
    plain: bool = False  # the whole of a script without cells


def read_bytes(path: Path) -> bytes:
    """Raises Unreadable for what is no regular file or too large, before reading it."""
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            raise Unreadable("link")
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("unreadable-file", text="not a file")
        with open(path, "rb", opener=_opened) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Unreadable("unreadable-file", text="not a file")
            content = file.read(MAX_FILE + 1) if status.st_size <= MAX_FILE else b""
    except (OSError, ValueError) as error:
        raise Unreadable("unreadable-file", text=getattr(error, "strerror", None) or str(error)) from error
    if status.st_size > MAX_FILE or len(content) > MAX_FILE:
        raise Unreadable("too-large", limit=MAX_FILE)
    return content


def _opened(path: str, flags: int) -> int:
    """What lay there as a file may since have become a link or a pipe."""
    return os.open(path, flags | _NOT_ELSEWHERE)


def is_notebook(content: bytes, name: str) -> bool:
    """By its name; or by what it holds, where somebody gave a notebook the name of a script."""
    return name.lower().endswith(".ipynb") or (content.lstrip()[:1] == b"{" and b'"cells"' in content)


def raw_cells(content: bytes, name: str) -> tuple[RawCell, ...]:
    """The cells of a file of that name, in order. Raises Unreadable."""
    return raw_file(content, name)[0]


def raw_file(content: bytes, name: str) -> tuple[tuple[RawCell, ...], str | None]:
    """The cells of a file of that name, and to which assignment a notebook says that it belongs. Raises Unreadable."""
    notebook = _parsed(content) if is_notebook(content, name) else None
    cells = tuple(_of_script(content, name) if notebook is None else _of_notebook(notebook))
    _check_lengths(cells)
    kits = _table(_table(_table(notebook).get("metadata")).get("attn")).get("assignment")
    return cells, name_of(kits) if isinstance(kits, str) else None


def _check_lengths(cells: Sequence[RawCell]) -> None:
    _check_number(cells)
    lengths = [len(cell.source) for cell in cells if cell.is_code or cell.mark]
    for length, limit in ((sum(lengths), MAX_CODE), (max(lengths, default=0), MAX_CELL)):
        if length > limit:
            raise Unreadable("too-large", limit=limit)


def _check_number(cells: Sequence[object]) -> None:
    if len(cells) > MAX_CELLS:
        raise Unreadable("too-large", limit=MAX_CELLS)


def _of_notebook(notebook: dict[str, Any]) -> Iterator[RawCell]:
    number = 0
    for cell in _listed_cells(notebook):
        is_code = cell.get("cell_type") == "code"
        number += is_code
        yield RawCell(
            f"cell {number}" if is_code else f"text after cell {number}",
            _source(cell.get("source")),
            is_code,
            mark=_mark(_table(_table(cell.get("metadata")).get("nbgrader"))),
        )


def _parsed(content: bytes) -> dict[str, Any]:
    """What a notebook's file holds; its brackets are counted first, since a reader makes something of each."""
    text = _decoded(content, "utf-8-sig")
    if not text.strip():
        raise Unreadable("empty")
    if text.count("{") + text.count("[") > MAX_PARTS:
        raise Unreadable("too-many-parts")
    try:
        return _table(json.loads(text))
    except json.JSONDecodeError as error:
        raise Unreadable("not-json", line=error.lineno) from error
    except RecursionError as error:
        raise Unreadable("too-deep") from error
    except ValueError as error:  # a number with more digits than Python converts
        raise Unreadable("not-json", line=1) from error


def _listed_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """Format 4 in every minor version, and a notebook that says none: what counts is that it has cells."""
    version = notebook.get("nbformat", 3 if "worksheets" in notebook else _NOTEBOOK_FORMAT)
    if isinstance(version, int) and not isinstance(version, bool) and version != _NOTEBOOK_FORMAT:
        raise Unreadable("unsupported-nbformat", version=max(0, min(version, _HIGHEST_VERSION)))
    cells = notebook.get("cells")
    if not isinstance(cells, list):
        raise Unreadable("not-a-notebook")
    _check_number(cells)
    return [cell for cell in cells if isinstance(cell, dict)]


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _source(source: Any) -> str:
    """A cell's text, in one string or many. One that is too long for code is not divided into lines."""
    parts = source if isinstance(source, list) else [source]
    text = _plain("".join(part for part in parts if isinstance(part, str)))
    return _at_margin(text) if len(text) <= MAX_CELL else text


def _at_margin(source: str) -> str:
    """As IPython runs a cell: the indentation of its first line is taken from every line that has it."""
    first = next((line for line in source.split("\n") if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip(" \t"))]
    return "\n".join(line.removeprefix(indent) for line in source.split("\n"))


def _plain(text: str) -> str:
    """Lines end as on Unix; half of a surrogate pair, which could not even be printed, is replaced."""
    return _SURROGATE.sub("\ufffd", text).replace("\r\n", "\n").replace("\r", "\n")


def name_of(text: str) -> str:
    """A name out of a notebook, fit to be written down: each own cell and each note repeats it."""
    return _plain(text[:MAX_NAME])


def _mark(nbgrader: dict[str, Any]) -> Mark | None:
    """Metadata without a name marks nothing."""
    grade_id, cell_type = nbgrader.get("grade_id"), nbgrader.get("cell_type")
    if not isinstance(grade_id, str):
        return None
    flags = {flag: nbgrader.get(flag) is True for flag in ("locked", "solution", "grade")}
    return Mark(name_of(grade_id), **flags, cell_type=name_of(cell_type) if isinstance(cell_type, str) else None)


def _decoded(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except (UnicodeError, LookupError) as error:
        line = content.count(b"\n", 0, getattr(error, "start", 0)) + 1
        raise Unreadable("not-utf8", line=line) from error


def _of_script(content: bytes, name: str) -> Iterator[RawCell]:
    if len(content) > MAX_CODE:
        raise Unreadable("too-large", limit=MAX_CODE)
    text = _plain(_decoded(content, _encoding(content)))
    lines = text.split("\n")
    starts = [*_markers(text, lines)]
    if not starts:
        yield RawCell(name, text, plain=True)
        return
    yield RawCell(name, "\n".join(lines[: starts[0]]))
    for start, end in pairwise([*starts, len(lines)]):
        words = lines[start]
        # The marker's line stays, empty: a cell magic must come first, and lines keep their numbers.
        source = "\n".join(["", *lines[start + 1 : end]])
        yield RawCell(name, source, not _PROSE.search(words), start + 1, _mark(_written_mark(words)))


def _encoding(content: bytes) -> str:
    """UTF-8, unless the first lines name another encoding, as Python itself reads them."""
    try:
        return tokenize.detect_encoding(io.BytesIO(content).readline)[0]
    except SyntaxError:  # an encoding there is not, or bytes that are not UTF-8: decoding says which
        return "utf-8-sig"


def _markers(text: str, lines: list[str]) -> Iterator[int]:
    """Indices of lines that begin a cell; one inside a string does not, as far as the file can be tokenised."""
    found = [index for index, line in enumerate(lines) if _MARKER.fullmatch(line)]
    if not found:
        return
    try:
        tokens = [*tokenize.generate_tokens(io.StringIO(text).readline)]
    except (tokenize.TokenError, SyntaxError):
        yield from found
        return
    inside = {line for token in tokens if token.type == tokenize.STRING for line in range(token.start[0], token.end[0])}
    yield from (index for index in found if index not in inside)


def _written_mark(words: str) -> dict[str, Any]:
    """The metadata that a percent script writes after its marker: `# %% nbgrader={"grade_id": ...}`."""
    place = _NBGRADER.search(words)
    try:
        return _table(json.JSONDecoder().raw_decode(words, place.end())[0]) if place else {}
    except (ValueError, RecursionError):
        return {}
