"""A tiny assignment of its own, so that the engine is tested on something that is not attention."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.content import load
from autograder.graders.kit import Kit
from autograder.graders.report import findings, results
from autograder.graders.session import run_graders
from autograder.prove import Graded
from autograder.targets.inprocess import InProcess

SOLUTION = '''"""A straight line, in steps."""

import torch
from torch import nn


def scale(x, a):
    return x * a  # (n,)


def shift(x, b):
    return x + b  # (n,)


def line(x, a, b):
    scaled = scale(x, a)  # (n,)
    return shift(scaled, b)  # (n,)


def parts(x):
    return x.sum(), x.amax()


class Line(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return x * self.weight  # (n,)
'''

TESTS = """import pytest
import torch


@pytest.mark.points("scale", 4)
@pytest.mark.dtypes("float32", "float64")
def test_numbers_are_scaled(agree, make):
    agree.scale(make.tensor(5), make.tensor(1))
    agree.gradients.scale(make.tensor(3), make.tensor(1))


@pytest.mark.points("scale", 1)
def test_zero_stays_zero(student, make):
    scaled = student.scale(make.tensor(4) * 0, make.tensor(1))
    assert (scaled == 0).all()


@pytest.mark.points("shift", 5)
def test_numbers_are_shifted(agree, make):
    agree.shift(make.tensor(5), make.tensor(1))


@pytest.mark.points("line", 4)
def test_lines_are_straight(agree, make):
    agree.line(make.tensor(5), make.tensor(1), make.tensor(1))


@pytest.mark.points("parts", 3)
def test_both_parts_come_back(agree, make):
    agree.parts(make.tensor(5))


@pytest.mark.points("Line", 3)
def test_weights_are_used(agree, make):
    layer = agree.Line(5)
    layer.load({"weight": make.tensor(5)})
    layer.gradients(make.tensor(2, 5))
"""

ASSIGNMENT = """version = 1
minutes = 5
[functions.scale]
points = 5
[functions.shift]
points = 5
[functions.line]
points = 4
needs = ["scale", "shift"]
[functions.parts]
points = 3
off_limits = ["torch.nn.functional.softmax"]
[classes.Line]
points = 3
"""

MISTAKES = """[[mistake]]
id = "scale-squared"
frequency = "common"
source = "made for this test"
find = "return x * a "
replace = "return x * a * a "

[[mistake]]
id = "scale-detached"
frequency = "common"
source = "made for this test"
find = "return x * a "
replace = "return x.detach() * a "

[[mistake]]
id = "shift-wrong-amount"
frequency = "common"
source = "made for this test"
[[mistake.case]]
with = { amount = "twice" }
find = "return x + b"
replace = "return x + 2 * b"
[[mistake.case]]
with = { amount = "minus" }
find = "return x + b"
replace = "return x - b"

[[mistake]]
id = "line-scale-forgotten"
frequency = "rare"
source = "made for this test"
find = "shift(scaled, b)"
replace = "shift(x, b)"

[[mistake]]
id = "line-amount-doubled"
frequency = "rare"
source = "made for this test"
find = "shift(scaled, b)"
replace = "shift(scaled, 2 * b)"
"""


def text(title: str) -> str:
    """Every sentence of the assignment."""
    functions = "\n".join(f'{name} = "does {name}"' for name in ("scale", "shift", "line", "parts", "Line"))
    names = [line.split("test_")[1].split("(")[0] for line in TESTS.splitlines() if line.startswith("def test_")]
    tests = "\n".join(f'{name} = "{name.replace("_", " ")}"' for name in names)
    ids = [line.split('"')[1] for line in MISTAKES.splitlines() if line.startswith("id =")]
    says = {"shift-wrong-amount": "shifts by {amount} b"}
    mistakes = "\n".join(
        f'[mistakes.{i}]\nsays = "{says.get(i, "does " + i)}"\nwhy = "Because. So."\nhints = ["try 2"]' for i in ids
    )
    return f'title = "{title}"\n[functions]\n{functions}\n[tests]\n{tests}\n{mistakes}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The assignment's folder."""
    folder = tmp_path / "solutions" / "90_lines"
    folder.mkdir(parents=True)
    files = {
        "assignment.toml": ASSIGNMENT,
        "mistakes.toml": MISTAKES,
        "solution.py": SOLUTION,
        "test_visible.py": TESTS,
        "test_hidden.py": "",
        "text.en.toml": text("Lines"),
        "text.ja.toml": text("直線"),
    }
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder


@pytest.fixture
def kit(folder: Path) -> Kit:
    """The assignment, ready to grade."""
    return Kit(load(folder))


@pytest.fixture
def grade(kit: Kit) -> Callable[..., Graded]:
    """Grades the reference with pieces of its text replaced."""

    def graded(*edits: tuple[str, str], without: tuple[str, ...] = ()) -> Graded:
        source = SOLUTION
        for find, replace in edits:
            assert find in source
            source = source.replace(find, replace)
        runs = run_graders(kit, InProcess.from_source(source, filename="answer.py", watch=kit.watch))
        return Graded(runs, results(kit, runs), findings(kit, runs, without=without))

    return graded
