"""A small assignment with a lesson, and the built notebooks of the real ones."""

import ast
import json
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILT = sorted((ROOT / "assignments").glob("*/*.ipynb"))

FILES = {
    "assignment.toml": """\
version = 2
minutes = 5
[functions.scale]
points = 12.5
[classes.Line]
points = 7.5
needs = ["scale"]
""",
    "solution.py": '''\
"""A straight line."""

import torch
from torch import Tensor, nn


def scale(
    x: Tensor, factor: float = 2.0, *, bias: Tensor | None = None, names: tuple[str, ...] = ("a", "b"), deep=1
) -> Tensor:
    scaled = x * factor
    return scaled if bias is None else scaled + bias


class Line(nn.Module):
    """Secretly made of one number."""

    slope = 3

    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n))

    def forward(self, x):
        return self._times(x)

    def _times(self, x):
        return scale(x, 1.0) * self.weight
''',
    "test_visible.py": """\
import pytest


@pytest.mark.points("scale", 12.5)
def test_numbers_are_scaled(agree, make):
    agree.scale(make.tensor(5), 3.0)


@pytest.mark.points("Line", 7.5)
def test_weights_are_used(agree, make):
    layer = agree.Line(5)
    layer.load({"weight": make.tensor(5)})
    layer(make.tensor(2, 5))
""",
    "test_hidden.py": "",
    "mistakes.toml": """\
[[mistake]]
id = "scale-adds"
frequency = "common"
source = "made for this test"
find = "x * factor"
replace = "x + factor"
""",
    "cells.py": """\
import matplotlib.pyplot as plt
import torch

# %% picture
print(message("label"), torch.arange(2), "é", message("label"))
""",
}
TEXT = '''\
title = "Line"
[functions]
scale = """
Times a factor; \\\\alpha and "quotes".

scale(2) -> 4
"""
Line = "one line"
[tests]
numbers_are_scaled = "numbers are scaled"
weights_are_used = "weights are used"
[mistakes.scale-adds]
says = "the factor is added"
why = "Plus and times look alike at 2."
hints = ["try 3"]
[messages]
label = "LABEL"
'''
LESSON = """\
# Lines

Words.

{solution: scale}
{check: scale}

    indented

{cell: picture}
{solution: Line}
{check: Line}

Why?

{write: why}
"""


@pytest.fixture
def small(tmp_path):
    """An authored folder; what is built of it goes into assignments/03_line beside solutions/."""
    folder = tmp_path / "solutions" / "03_line"
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    for language, label in (("en", 'the "label"'), ("ja", "名札")):
        text = TEXT.replace("LABEL", label.replace('"', '\\"'))
        (folder / f"text.{language}.toml").write_text(text, encoding="utf-8")
        (folder / f"lesson.{language}.md").write_text(LESSON, encoding="utf-8")
    return folder


class Built:
    """A notebook of assignments/, read as JSON."""

    def __init__(self, path):
        self.path = path
        self.authored = ROOT / "solutions" / path.parent.name
        self.language = "ja" if path.name.endswith(".ja.ipynb") else "en"
        self.json = json.loads(path.read_text(encoding="utf-8"))

    @property
    def cells(self):
        """The cells, each with its source in one piece."""
        return [cell | {"source": "".join(cell["source"])} for cell in self.json["cells"]]

    @property
    def reference(self):
        """The source of each function and class of the reference, with the private functions, which any may use."""
        text = (self.authored / "solution.py").read_text(encoding="utf-8")
        named = [node for node in ast.parse(text).body if hasattr(node, "name")]
        parts = {node.name: ast.get_source_segment(text, node) for node in named}
        private = [part for name, part in parts.items() if name.startswith("_")]
        return {name: "\n\n\n".join([*private, part]) for name, part in parts.items()}

    def marks(self, id_):
        """nbgrader's metadata of a cell."""
        return next(cell["metadata"]["nbgrader"] for cell in self.json["cells"] if cell["id"] == id_)

    def solved(self, folder):
        """A copy in which the reference stands in every answer cell."""
        answers = self.reference
        cells = [cell | {"source": answers.get(cell["id"], cell["source"])} for cell in self.cells]
        copy = folder / self.path.name
        copy.write_text(json.dumps(self.json | {"cells": cells}), encoding="utf-8")
        helpers = self.path.parent / "helpers.py"
        if helpers.is_file():
            shutil.copy(helpers, folder)
        return copy


@pytest.fixture(scope="session", params=BUILT, ids=lambda path: path.name)
def built(request):
    return Built(request.param)


@pytest.fixture(scope="session")
def built_named():
    """A built notebook by its file's name."""
    return lambda name: Built(next(path for path in BUILT if path.name == name))
