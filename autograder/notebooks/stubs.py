"""What a learner finds in an answer cell: the reference's signatures, documentation, and none of its bodies."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from textwrap import indent

from autograder.model import Assignment

_MARGIN = "    "
_LONGEST = 100  # wider than a notebook shows without scrolling
_RAISE = "raise NotImplementedError"

Function = ast.FunctionDef | ast.AsyncFunctionDef


def stub(assignment: Assignment, name: str, language: str) -> str:
    """The function or class as it is handed out: loading it works, calling it raises NotImplementedError."""
    node = next(node for node in _definitions(assignment.solution) if node.name == name)
    documentation = _docstring(assignment.texts[language].functions[name])
    if isinstance(node, ast.ClassDef):
        return "\n".join(_class(node, documentation))
    return "\n".join([_signature(node), documentation, _MARGIN + _RAISE])


def imports(source: str) -> tuple[str, ...]:
    """The import statements at the top level of a module, in order."""
    tree = ast.parse(source)
    return tuple(ast.unparse(node) for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))


def _definitions(source: str) -> Iterator[Function | ast.ClassDef]:
    """From the end, since of two definitions with one name the later counts."""
    for node in reversed(ast.parse(source).body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node


def _docstring(text: str) -> str:
    lines = text.strip().replace("\\", "\\\\").replace('"""', r"\"\"\"").split("\n")
    if len(lines) == 1 and not lines[0].endswith('"'):
        return f'{_MARGIN}"""{lines[0]}"""'
    return indent("\n".join(['"""' + lines[0], *lines[1:], '"""']), _MARGIN)


def _class(node: ast.ClassDef, documentation: str) -> Iterator[str]:
    """Its public methods; how the reference divides its work besides is its own affair."""
    bases = ", ".join(map(ast.unparse, [*node.bases, *node.keywords]))
    yield f"class {node.name}({bases}):" if bases else f"class {node.name}:"
    yield documentation
    for method in node.body:
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) and _is_public(method.name):
            yield ""
            yield indent(_signature(method), _MARGIN)
            if method.name == "__init__" and bases:
                yield 2 * _MARGIN + "super().__init__()"
            yield 2 * _MARGIN + _RAISE


def _is_public(name: str) -> bool:
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def _signature(node: Function) -> str:
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    start = f"{'async ' if isinstance(node, ast.AsyncFunctionDef) else ''}def {node.name}("
    arguments = [*_arguments(node.args)]
    line = f"{start}{', '.join(arguments)}){returns}:"
    if len(line) <= _LONGEST:
        return line
    return "\n".join([start, *(f"{_MARGIN}{argument}," for argument in arguments), f"){returns}:"])


def _arguments(arguments: ast.arguments) -> Iterator[str]:
    """Each argument as it stands in a signature, with its hint and default."""
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [*[None] * (len(plain) - len(arguments.defaults)), *arguments.defaults]
    for place, (argument, default) in enumerate(zip(plain, defaults, strict=True), 1):
        yield _argument(argument, default)
        if place == len(arguments.posonlyargs):
            yield "/"
    if arguments.vararg:
        yield f"*{ast.unparse(arguments.vararg)}"
    elif arguments.kwonlyargs:
        yield "*"
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield _argument(argument, default)
    if arguments.kwarg:
        yield f"**{ast.unparse(arguments.kwarg)}"


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    if default is None:
        return ast.unparse(argument)
    equals = " = " if argument.annotation else "="
    return ast.unparse(argument) + equals + ast.unparse(default)
