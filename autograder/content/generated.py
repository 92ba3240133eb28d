"""Edits that nobody wrote: every small change of the reference's syntax tree that somebody may have made.

They name what no author foresaw, in plain words about the step that differs, and rank below authored mistakes. Each is
one replaced piece of text: an operand exchanged, an operator or a constant changed, a step or an argument left out.
Nothing inside a `while` is touched, since a changed loop may never end.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from autograder.model import Case, Edit, Mistake

_SWAPS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,),
}
_ONE_WAY = (ast.Sub, ast.Div, ast.MatMult, ast.Pow, ast.FloorDiv, ast.Mod)
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_AROUND = (
    *("({0}).detach()", "({0}).transpose(-2, -1)", "-({0})", "({0}).abs()"),
    *("({0}).round()", "({0}).squeeze()", "({0})[:1].expand_as({0})"),  # the last: one sample's value for all
)
_AROUND_ARRAYS = (
    "({0}).swapaxes(-2, -1)",
    "-({0})",
    "abs({0})",
    "({0}).round()",
    "({0}).squeeze()",
)  # where the reference does without PyTorch


@dataclass(frozen=True, slots=True)
class _Step:
    """One statement of a function: what it computes, and the names that stand for values before it."""

    function: str
    target: str  # "" for a returned result or a condition
    expression: ast.expr
    names: tuple[str, ...]


def generated(solution: str) -> tuple[Mistake, ...]:
    """All generated edits of a reference, in the order of its text."""
    text = _Text(solution)
    mistakes: dict[tuple[Edit, ...], Mistake] = {}
    tree = ast.parse(solution)
    around = _AROUND if _imports(tree, "torch") else _AROUND_ARRAYS
    for step in _steps(tree):
        for node, new in _changes(step, around):
            edit = text.edit(node, new)
            parameters = _parameters(step, node, new)
            case = Case((edit,), step.function, parameters)
            mistake = Mistake(f"edit {len(mistakes) + 1}", (case,), "rare", "generated", generated=True)
            if edit.text != solution[edit.start : edit.end]:
                mistakes.setdefault(case.edits, mistake)
    return tuple(mistakes.values())


def _imports(tree: ast.Module, module: str) -> bool:
    names = [name.name for node in tree.body if isinstance(node, ast.Import) for name in node.names]
    names += [node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)]
    return any(name.partition(".")[0] == module for name in names)


def _parameters(step: _Step, node: ast.expr, new: str) -> dict[str, str | int | float]:
    old = ast.unparse(node)
    return {"function": step.function, "target": step.target, "old": old, "new": new}


class _Text:
    """Turns places in the syntax tree, which count bytes, into places in the text."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def edit(self, node: ast.expr, new: str) -> Edit:
        """Replaces a node, in brackets, so that what stands around it stays what it is."""
        start = self._place(node.lineno, node.col_offset)
        end = self._place(node.end_lineno or node.lineno, node.end_col_offset or 0)
        plain = new.isidentifier() or isinstance(node, ast.Constant)
        return Edit(start, end, new if plain else f"({new})")

    def _place(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())


# ------------------------------------------------------------------------------------------------- steps


def _steps(tree: ast.Module) -> Iterator[_Step]:
    for block in tree.body:
        if isinstance(block, ast.FunctionDef):
            yield from _steps_of(block.name, block.body, _parameters_of(block))
        elif isinstance(block, ast.ClassDef):
            for method in block.body:
                if isinstance(method, ast.FunctionDef):
                    yield from _steps_of(block.name, method.body, _parameters_of(method))


def _parameters_of(function: ast.FunctionDef) -> tuple[str, ...]:
    return tuple(argument.arg for argument in function.args.args if argument.arg != "self")


def _steps_of(function: str, body: list[ast.stmt], names: tuple[str, ...]) -> Iterator[_Step]:
    """The steps of a body in order; a name counts from the statement after the one that computes it."""
    for statement in body:
        match statement:
            case ast.Assign(targets=[target], value=value):
                yield _Step(function, ast.unparse(target), value, names)
                names += tuple(n.id for n in ast.walk(target) if isinstance(n, ast.Name) and n.id not in names)
            case ast.AugAssign(target=target, value=value):
                yield _Step(function, ast.unparse(target), value, names)
            case ast.Return(value=ast.expr() as value):
                yield _Step(function, "", value, names)
            case ast.If(test=test, body=inner, orelse=other):
                yield _Step(function, "", test, names)
                yield from _steps_of(function, inner, names)
                yield from _steps_of(function, other, names)
            case ast.For(body=inner):
                yield from _steps_of(function, inner, names)


# ----------------------------------------------------------------------------------------------- changes


def _changes(step: _Step, around: Sequence[str]) -> Iterator[tuple[ast.expr, str]]:
    """Nodes of a step, each with the text that may stand in its place."""
    nodes = list(ast.walk(step.expression))
    kept = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    kept |= {id(node.slice) for node in nodes if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple)}
    kept |= {id(node.operand) for node in nodes if _is_negative(node)}  # -1 is one number
    for node in nodes:
        if isinstance(node, ast.expr) and id(node) not in kept:
            yield from ((node, new) for new in _instead_of(node, step.names))
    yield from ((step.expression, form.format(ast.unparse(step.expression))) for form in around)


def _instead_of(node: ast.expr, names: tuple[str, ...]) -> Iterator[str]:
    match node:
        case ast.Name(id=name) if name in names:
            yield from (other for other in names if other != name)
        case ast.Constant(value=value):
            yield from _other_constants(value)
        case ast.BinOp():
            yield from _other_operations(node)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            yield from (str(other) for other in (-value + 1, -value - 1, value))
        case ast.UnaryOp(operand=inner) | ast.Attribute(value=inner, attr="T"):
            yield ast.unparse(inner)
        case ast.Compare(ops=[operator]):
            others = (
                kind for kind in _COMPARISONS if isinstance(operator, _COMPARISONS) and type(operator) is not kind
            )
            yield from (_with(node, ops=[kind()]) for kind in others)
        case ast.Call():
            yield from _other_calls(node)
        case ast.IfExp(body=body, orelse=other):
            yield from (ast.unparse(body), ast.unparse(other))
        case ast.Tuple(elts=elements) if len(elements) > 1:
            yield _with(node, elts=elements[::-1])
            yield from (ast.unparse(element) for element in elements)


def _is_negative(node: ast.AST) -> TypeGuard[ast.UnaryOp]:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant)


def _other_constants(value: object) -> Iterator[str]:
    if isinstance(value, bool):
        yield str(not value)
    elif isinstance(value, int):
        yield from (str(other) for other in (value + 1, value - 1, -value) if other != value)
    elif isinstance(value, float):
        yield from (str(other) for other in (1.0 - value, -value) if other != value)


def _other_operations(node: ast.BinOp) -> Iterator[str]:
    yield from (ast.unparse(node.left), ast.unparse(node.right))
    yield from (_with(node, op=kind()) for kind in _SWAPS.get(type(node.op), ()))
    if isinstance(node.op, _ONE_WAY):
        yield _with(node, left=node.right, right=node.left)


def _other_calls(node: ast.Call) -> Iterator[str]:
    """The call left out, or made without one of its arguments, or with two exchanged."""
    if isinstance(node.func, ast.Attribute) and not _is_module(node.func.value):
        yield ast.unparse(node.func.value)
    elif node.args:
        yield ast.unparse(node.args[0])
    for index in range(1, len(node.args)):
        yield _with(node, args=node.args[:index] + node.args[index + 1 :])
        yield _with(
            node, args=[*node.args[: index - 1], node.args[index], node.args[index - 1], *node.args[index + 1 :]]
        )
    for index in range(len(node.keywords)):
        yield _with(node, keywords=node.keywords[:index] + node.keywords[index + 1 :])


def _is_module(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("torch", "math", "np", "nn", "F")


def _with(node: ast.expr, **fields: object) -> str:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return ast.unparse(changed)
