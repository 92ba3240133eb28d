"""A small authored folder without a fault, which each test spoils in its own way."""

from pathlib import Path

import pytest

from autograder.content import load
from autograder.model import ContentError

FILES = {
    "assignment.toml": """\
version = 3
minutes = 45

[functions.double]
points = 8

[classes.Scaler]
points = 7.5
needs = ["double"]
off_limits = ["torch.mul"]

[functions.halve]
points = 4.5
needs = ["double", "Scaler"]
""",
    "solution.py": """\
\"\"\"Twice, scaled, half.\"\"\"

import math

FACTOR = 2.0  # 2 · x


def double(x):
    return FACTOR * x  # (B, T) → (B, T)


class Scaler:
    def __init__(self, factor):
        self.factor = factor

    def forward(self, x):
        return double(x) * self.factor


def halve(x):
    return math.sqrt(double(x) ** 2) / 4
""",
    "helpers.py": "def identity(x):\n    return x\n",
    "test_visible.py": """\
import pytest


@pytest.mark.points("double", 8)
def test_twice_as_much(agree):
    agree.double(3.0)


@pytest.mark.points("Scaler", 7.5)
@pytest.mark.dtypes("float32", "float64")
def test_factors_scale(agree):
    agree.Scaler(3.0).forward(2.0)
""",
    "test_hidden.py": """\
import pytest


@pytest.mark.points("halve", 4.5)
def test_half_as_much(agree):
    agree.halve(3.0)
""",
    "mistakes.toml": """\
[[mistake]]
id = "double-adds-two"
frequency = "very common"
source = "seen in class"
find = "FACTOR * x"
replace = "FACTOR + x"

[[mistake]]
id = "factor-wrong"
frequency = "common"
source = "seen in class"
looks_like = { "double-adds-two" = "at 2 both give 4" }
[[mistake.case]]
with = { factor = 3 }
find = "FACTOR = 2.0"
replace = "FACTOR = 3.0"
[[mistake.case]]
with = { factor = "none" }
edits = [
  { find = "double(x) * self", replace = "self" },
  { function = "halve", source = '''
def halve(x):
    return x
''' },
]
""",
    "text.en.toml": """\
title = "Small"

[functions]
double = "twice x"
Scaler = "x times a factor"
halve = "half of x"

[tests]
twice_as_much = "twice as much comes out"
factors_scale = "the factor scales"
half_as_much = "half as much comes out"

[mistakes.double-adds-two]
says = "two is added"
why = "Plus and times look alike at 2."
hints = ["try 3"]

[mistakes.factor-wrong]
says = "the factor is {factor}"
why = "The set {1, 2} tempts."
hints = ["print the factor", "and then?"]

[messages]
seen = "{n} seen"
""",
    "text.ja.toml": """\
title = "小さな課題"

[functions]
double = "x の 2 倍"
Scaler = "x と係数の積"
halve = "x の半分"

[tests]
twice_as_much = "2 倍になる"
factors_scale = "係数が効く"
half_as_much = "半分になる"

[mistakes.double-adds-two]
says = "2 を足している"
why = "2 のときは足しても掛けても同じです。"
hints = ["3 で試しましょう。"]

[mistakes.factor-wrong]
says = "係数が {factor} になっている"
why = "取り違えやすいところです。"
hints = ["係数を表示しましょう。"]

[messages]
seen = "{n} 個"
""",
    "accepted/plus.py": "# accepted: adds x to itself\ndef double(x): return x + x\n",
    "partial/float_only.py": "# may lose: test_half_as_much, test_factors_scale\n",
    "mistaken/adds.py": "# mistakes: double-adds-two\n",
    "mistaken/both.py": "# mistakes: double-adds-two, factor-wrong\n",
}


class Folder:
    """An authored folder on disk; `faults` loads it and gives the lines without the folder's name."""

    def __init__(self, path: Path):
        self.path = path
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name, text):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))

    def swap(self, name, old, new):
        text = (self.path / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new))

    def remove(self, name):
        (self.path / name).unlink()

    def faults(self):
        try:
            load(self.path)
        except ContentError as error:
            caught = error
        else:
            return []
        assert str(caught) == "\n".join(caught.faults)
        assert all(line.startswith("04_small/") and "\n" not in line for line in caught.faults)
        return [line.removeprefix("04_small/") for line in caught.faults]


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path / "solutions" / "04_small")
