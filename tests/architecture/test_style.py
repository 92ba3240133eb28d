"""House style in numbers, and nothing in the repository that only means something on one machine."""

import ast
import re
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "autograder").rglob("*.py"))
FILE_LINES, FUNCTION_LINES, MEDIAN_LINES = 300, 40, 12

UNREAD = {".git", ".venv", "venv", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis"}
# The group keeps this line from finding itself.
DEVELOPERS_PATH = re.compile(r"(?<![\w.])/(?:work|root|tmp/v)(?:/|\b)")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(source):
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, Function)]


def lines_of(function):
    return function.end_lineno - function.lineno + 1


def public(tree):
    """(name, node) of the public functions of a module and the public methods of its public classes."""
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            if isinstance(node, ast.ClassDef):
                yield from ((f"{node.name}.{name}", method) for name, method in public(node))
            else:
                yield node.name, node


def undocumented(source):
    return [name for name, node in public(ast.parse(source)) if not ast.get_docstring(node)]


def read(file):
    return file.read_text(encoding="utf-8")


def relative(file):
    return file.relative_to(ROOT).as_posix()


def texts():
    """Every text file of the repository, without what tools leave behind."""
    for file in sorted(ROOT.rglob("*")):
        if file.is_file() and not UNREAD & set(file.relative_to(ROOT).parts):
            yield file, file.read_text(encoding="utf-8", errors="replace")


@pytest.mark.parametrize("file", FILES, ids=relative)
def test_a_file_is_one_room(file):
    lines = len(read(file).splitlines())
    assert lines <= FILE_LINES


@pytest.mark.parametrize("file", FILES, ids=relative)
def test_no_function_is_long(file):
    assert not [function.name for function in functions(read(file)) if lines_of(function) > FUNCTION_LINES]


def test_most_functions_are_short():
    assert median(lines_of(function) for file in FILES for function in functions(read(file))) <= MEDIAN_LINES


@pytest.mark.parametrize("file", FILES, ids=relative)
def test_every_public_function_says_what_it_does(file):
    assert not undocumented(read(file))


def test_no_file_names_a_path_of_a_developers_machine():
    assert not [relative(file) for file, text in texts() if DEVELOPERS_PATH.search(text)]


def test_a_fault_of_style_would_be_found():
    long = "def f():\n" + "    x = 1\n" * FUNCTION_LINES
    assert lines_of(functions(long)[0]) > FUNCTION_LINES
    assert undocumented("class Host:\n    def close(self): pass\ndef _private(): pass\ndef grade(): pass") == [
        "Host.close",
        "grade",
    ]
    assert DEVELOPERS_PATH.search("cd " + "/wo" + "rk/main")
    assert not DEVELOPERS_PATH.search("docs/workbook and /rootless")
