"""A small assignment that is quick to grade, so that what is measured is the sandbox."""

from pathlib import Path

from autograder.content import load
from autograder.model import Assignment

NAME = "90_numbers"

SOLUTION = '''"""Numbers, in steps."""

import torch
from torch import nn


def scale(x, a):
    return x * a  # (n,)


def total(x):
    return x.sum(-1)  # (m,)


class Layer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return x * self.weight  # (m, n)
'''

VISIBLE = """import pytest


@pytest.mark.points("scale", 4)
def test_numbers_are_scaled(agree, make):
    agree.scale(make.tensor(5), make.tensor(1))
    agree.scale(make.tensor(3), make.tensor(1))


@pytest.mark.points("total", 6)
def test_rows_are_summed(agree, make):
    agree.total(make.tensor(3, 5))
    agree.gradients.total(make.tensor(2, 7))


@pytest.mark.points("Layer", 6)
def test_weights_are_used(agree, make):
    layer = agree.Layer(5)
    layer.load({"weight": make.tensor(5)})
    layer.gradients(make.tensor(2, 5))
"""

HIDDEN = """import pytest


@pytest.mark.points("scale", 4)
def test_gradients_reach_both(agree, make):
    agree.gradients.scale(make.tensor(6), make.tensor(1))
"""

ASSIGNMENT = """version = 1
minutes = 5
[functions.scale]
points = 8
[functions.total]
points = 6
[classes.Layer]
points = 6
"""

TEXT = """title = "Numbers"
[functions]
scale = "x times a"
total = "the sum of each row"
Layer = "x times weight"
[tests]
numbers_are_scaled = "numbers are scaled"
rows_are_summed = "rows are summed"
weights_are_used = "weights are used"
gradients_reach_both = "gradients reach both"
"""


def make(course: Path) -> Assignment:
    """Write it into a course's folder, and load it."""
    folder = course / "solutions" / NAME
    folder.mkdir(parents=True)
    files = {
        "assignment.toml": ASSIGNMENT,
        "mistakes.toml": "",
        "solution.py": SOLUTION,
        "test_visible.py": VISIBLE,
        "test_hidden.py": HIDDEN,
        "text.en.toml": TEXT,
        "text.ja.toml": TEXT,
    }
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    return load(folder)
