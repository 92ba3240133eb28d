"""The reference as text and syntax tree: its blocks, what they bind, which of them use which. It is never run."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Literal

import msgspec


class Block(msgspec.Struct, frozen=True):
    """A top-level statement: characters `start:end` of the text, with decorators, without the last newline."""

    kind: Literal["function", "class", "other"]
    binds: tuple[str, ...]
    uses: frozenset[str]
    start: int
    end: int


class Reference(msgspec.Struct, frozen=True):
    """The text of solution.py and its top-level statements in order."""

    text: str
    blocks: tuple[Block, ...]

    def definitions(self) -> dict[str, Block]:
        """Functions and classes by name; of two with one name the later, which is what Python keeps."""
        return {block.binds[0]: block for block in self.blocks if block.kind != "other"}

    def block_at(self, start: int, end: int) -> Block | None:
        """The first statement that shares a character with `start:end`, or None between statements."""
        return next((block for block in self.blocks if block.start < end and start < block.end), None)


def parse(text: str) -> Reference:
    """Raises SyntaxError."""
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    return Reference(text, tuple(_block(node, text, starts) for node in ast.parse(text).body))


def calls(reference: Reference) -> dict[str, tuple[str, ...]]:
    """Each function or class -> itself and all that it uses, at any depth; also by way of a module's constant."""
    uses = _uses_by_name(reference)
    return {name: _reachable(name, uses, reference.definitions()) for name in reference.definitions()}


def user_of(block: Block, reference: Reference) -> str | None:
    """The first function or class that uses, at any depth, what a statement binds."""
    uses = _uses_by_name(reference)
    users = (name for name in reference.definitions() if set(block.binds) & set(_reachable(name, uses, uses)))
    return next(users, None)


def _uses_by_name(reference: Reference) -> dict[str, frozenset[str]]:
    return {name: block.uses for block in reference.blocks for name in block.binds}


def _reachable(name: str, uses: Mapping[str, frozenset[str]], kept: Iterable[str]) -> tuple[str, ...]:
    """Names in the order of the reference, `name` first. A local variable of that name counts too: too many is safe."""
    seen, waiting = {name}, [name]
    while waiting:
        new = uses[waiting.pop()] & uses.keys() - seen
        seen |= new
        waiting += new
    return (name, *(other for other in kept if other in seen and other != name))


def _block(node: ast.stmt, text: str, starts: list[int]) -> Block:
    """Blocks are whole lines: columns of a tree count bytes, and a shape comment may hold any character."""
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    last = node.end_lineno or node.lineno
    names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
    uses = frozenset(name.id for name in names if isinstance(name.ctx, ast.Load))
    return Block(_kind(node), tuple(_bound(node)), uses, starts[first - 1], min(starts[last] - 1, len(text)))


def _kind(node: ast.stmt) -> Literal["function", "class", "other"]:
    if isinstance(node, ast.ClassDef):
        return "class"
    return "function" if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else "other"


def _bound(node: ast.AST) -> Iterator[str]:
    """Names that a statement binds in the module; what is bound inside a function or class stays there."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    else:
        for child in ast.iter_child_nodes(node):
            yield from _bound(child)
