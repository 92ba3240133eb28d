"""cells.py: the demonstration cells of a lesson, by name, shared by all languages.

Imports stand at the top; each cell begins with `# %% name`. `message("id")` in a cell stands for a sentence of
text.xx.toml's [messages], which takes its place when a notebook is built.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping

import msgspec

from autograder.content.files import Faults, read_text, tables

FILE = "cells.py"

_MARKER = re.compile(r"#\s*%%(.*)")
_PIECE = re.compile(r"[\u3000-\u9fff\uff00-\uffef][、。」）]*|[^\u3000-\u9fff\uff00-\uffef ]+ ?| ")  # noqa: RUF001
_WIDTH = 100  # columns of a cell in a notebook that is not scrolled


class Demonstration(msgspec.Struct, frozen=True):
    """One cell, and the line of cells.py on which its marker stands."""

    name: str
    source: str
    line: int


class Demonstrations(msgspec.Struct, frozen=True):
    """The cells in order, and the import lines that all of them share."""

    imports: tuple[str, ...] = ()
    cells: tuple[Demonstration, ...] = ()


def read(faults: Faults, texts: Mapping[str, Mapping[str, object]]) -> Demonstrations | None:
    """What cells.py holds, nothing where there is no such file; None where it cannot be read."""
    text = read_text(FILE, faults, required=False)
    if text is None:
        return None if (faults.folder / FILE).is_file() else Demonstrations()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        faults.add(FILE, f"line {line}: is not Python: {getattr(error, 'msg', error)}")
        return None
    lines = text.split("\n")
    cells = tuple(_cells(lines, faults))
    _check_messages(tree, texts, faults)
    return Demonstrations(tuple(_imports(tree, cells, faults)), cells)


def check_used(found: Demonstrations, used: Collection[str], faults: Faults) -> None:
    """A cell that no lesson shows is a fault."""
    for cell in found.cells:
        if cell.name not in used:
            faults.add(FILE, f"line {cell.line}: no lesson has {{cell: {cell.name}}}")


def with_messages(source: str, messages: Mapping[str, str]) -> str:
    """A cell's source with every `message("id")` replaced by that sentence, as Python writes it.

    A sentence for which its line has no room stands on lines of its own, where brackets around it allow that.
    """
    lines = [line.encode("utf-8") for line in source.split("\n")]  # columns of a syntax tree count bytes
    for call, id_ in sorted(_messages(ast.parse(source)), key=lambda found: _start(found[0]), reverse=True):
        row, last = call.lineno - 1, (call.end_lineno or call.lineno) - 1
        before, after = lines[row][: call.col_offset], lines[last][call.end_col_offset :]
        literal = _literal(messages[id_])
        whole = before + literal.encode("utf-8") + after
        is_long = _columns(literal) > _WIDTH // 2 and _columns(whole.decode("utf-8")) > _WIDTH
        if is_long and before.rstrip().endswith((b",", b"(", b"[")):
            indent = " " * (len(before) - len(before.lstrip()))
            parts = [f"{indent}    {_literal(part)}" for part in _cut(messages[id_], _WIDTH - len(indent) - 6)]
            whole = b"\n".join([before.rstrip(), *(part.encode("utf-8") for part in parts), indent.encode() + after])
        lines[row : last + 1] = [whole]
    return b"\n".join(lines).decode("utf-8")


def _literal(text: str) -> str:
    """The text in double quotes, which Python reads as JSON does."""
    return msgspec.json.encode(text).decode("utf-8")


def _columns(text: str) -> int:
    """How wide a text is where most Japanese characters take two columns."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _cut(text: str, width: int) -> Iterator[str]:
    """A text in parts of at most that many columns: after a space, or anywhere in Japanese."""
    part = ""
    for piece in _PIECE.findall(text):
        if part and _columns(_literal(part + piece)) - 2 > width:
            yield part
            part = ""
        part += piece
    yield part


def _start(call: ast.Call) -> tuple[int, int]:
    return call.lineno, call.col_offset


def _messages(tree: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "message":
            match node.args:
                case [ast.Constant(value=str() as id_)]:
                    yield node, id_
                case _:
                    yield node, ""


def _check_messages(tree: ast.Module, texts: Mapping[str, Mapping[str, object]], faults: Faults) -> None:
    for call, id_ in _messages(tree):
        for language, text in texts.items():
            if id_ not in tables(text.get("messages")):
                faults.add(FILE, f"line {call.lineno}: text.{language}.toml has no message {id_!r}")


def _cells(lines: list[str], faults: Faults) -> Iterator[Demonstration]:
    """Markers inside strings are taken for markers too: nobody needs one there."""
    starts = [(number, found[1].strip()) for number, line in enumerate(lines, 1) if (found := _MARKER.match(line))]
    first: dict[str, int] = {}
    for (number, name), end in zip(starts, [*(number for number, _ in starts[1:]), len(lines) + 1], strict=True):
        source = "\n".join(lines[number : end - 1]).strip("\n")
        if not re.fullmatch(r"\w+", name):
            faults.add(FILE, f"line {number}: begins with '# %% name', not with {lines[number - 1]!r}")
        elif first.setdefault(name, number) != number:
            faults.add(FILE, f"line {number}: cell {name!r} is already on line {first[name]}")
        elif not source:
            faults.add(FILE, f"line {number}: cell {name!r} is empty")
        elif _is_code(source, number, faults):
            yield Demonstration(name, source, number)


def _is_code(source: str, line: int, faults: Faults) -> bool:
    """A cell is Python by itself: a marker inside a function would cut it in two."""
    try:
        ast.parse(source)
    except SyntaxError as error:
        faults.add(FILE, f"line {line + (error.lineno or 1)}: the cell is not Python by itself: {error.msg}")
        return False
    return True


def _imports(tree: ast.Module, cells: tuple[Demonstration, ...], faults: Faults) -> Iterator[str]:
    """The import statements above the first cell, where besides them only a docstring may stand."""
    first = cells[0].line if cells else None
    for node in tree.body:
        if first is not None and node.lineno > first:
            return
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield ast.unparse(node)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            faults.add(FILE, f"line {node.lineno}: stands in no cell; each begins with '# %% name'")
