"""Names and points of an assignment's tests, read from their syntax trees."""

from __future__ import annotations

import ast
import math
from collections import defaultdict
from collections.abc import Iterator

import msgspec

from autograder.content.files import Faults, read_text
from autograder.content.spec import FILE, Spec

FILES = ("test_visible.py", "test_hidden.py")


class GraderTest(msgspec.Struct, frozen=True):
    """A test function; `marks` are the arguments of its points marks, None where they are no constants."""

    file: str
    name: str  # without "test_"
    marks: tuple[tuple[object, ...] | None, ...]


def read_tests(faults: Faults) -> tuple[GraderTest, ...] | None:
    """Every test of both files, in order; None where one cannot be read, so that its tests do not count as unknown."""
    trees = [_tree(file, faults) for file in FILES]
    tests: dict[str, GraderTest] = {}
    for file, tree in zip(FILES, trees, strict=True):
        for test in _tests_of(file, tree, faults) if tree else ():
            if test.name in tests:
                faults.add(file, f"test_{test.name}: is already in {tests[test.name].file}")
            tests.setdefault(test.name, test)
    return tuple(tests.values()) if all(trees) else None


def check_points(spec: Spec, tests: tuple[GraderTest, ...], faults: Faults) -> None:
    """Each test gives points to one function, and those of a function sum to what assignment.toml says."""
    sums: defaultdict[str, float] = defaultdict(float)
    for test in tests:
        function, points = _points_of(test, faults)
        if function and function not in spec.names:
            faults.add(test.file, f"test_{test.name}: points name {function!r}, which is not in {FILE}")
        sums[function] += points
    if "" in sums:
        return
    for part in spec.functions:
        if not math.isclose(part.points, sums[part.name]):
            key = f"{'functions' if part.kind == 'function' else 'classes'}.{part.name}.points"
            faults.add(FILE, f"{key}: {part.points:g}, but its tests' points sum to {sums[part.name]:g}")


def _points_of(test: GraderTest, faults: Faults) -> tuple[str, float]:
    """The function that a test is about ("" where its marks do not say) and its points."""
    match test.marks:
        case ((str() as function, int() | float() as points),):
            return function, points
    fault = "has no points mark" if not test.marks else "its points are not one function's name and one number"
    faults.add(test.file, f"test_{test.name}: {fault}")
    return "", 0.0


def _tree(file: str, faults: Faults) -> ast.Module | None:
    text = read_text(file, faults)
    try:
        return None if text is None else ast.parse(text)
    except SyntaxError as error:
        faults.add(file, f"line {error.lineno}: is not Python: {error.msg}")
    except ValueError as error:  # null bytes, before Python 3.12
        faults.add(file, f"is not Python: {error}")
    return None


def _tests_of(file: str, tree: ast.Module, faults: Faults) -> Iterator[GraderTest]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            faults.add(file, f"{node.name}: tests are functions here, not classes")
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield GraderTest(file, node.name.removeprefix("test_"), tuple(_marks(node)))


def _marks(node: ast.FunctionDef) -> Iterator[tuple[object, ...] | None]:
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.points":
            constants = [part.value for part in decorator.args if isinstance(part, ast.Constant)]
            plain = len(constants) == len(decorator.args) and not decorator.keywords
            yield tuple(constants) if plain else None
