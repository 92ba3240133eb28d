"""From an authored folder to learners' files: what is written, what is stale, and what the command says."""

import ast
import json
import os
import re
import subprocess
import sys

import pytest

from autograder.build import build, stale
from autograder.cli import main
from autograder.model import ContentError

NAMES = ["line.ipynb", "line.ja.ipynb", "line.ja.py", "line.py", "pack.json", "test_visible.py"]


@pytest.fixture
def out(small):
    return small.parents[1] / "assignments" / small.name


@pytest.fixture
def attn(small, monkeypatch, capsys):
    """`attn` run beside the small folder: exit code and output."""

    def run(*arguments):
        monkeypatch.chdir(small.parents[1])
        monkeypatch.setattr(sys, "argv", ["attn", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code, capsys.readouterr().out

    return run


def source(out, id_, name="line.ipynb"):
    cells = json.loads((out / name).read_text(encoding="utf-8"))["cells"]
    return next("".join(cell["source"]) for cell in cells if cell["id"] == id_)


def test_everything_a_learner_gets_is_built(small, out):
    assert sorted(path.name for path in build(small, out)) == NAMES
    assert sorted(entry.name for entry in out.iterdir()) == NAMES
    assert (out / "test_visible.py").read_bytes() == (small / "test_visible.py").read_bytes()
    assert not stale(small, out)


def test_helpers_that_a_lesson_imports_lie_beside_it(small, out):
    cells = small / "cells.py"
    cells.write_text("from helpers import flip\n" + cells.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(ContentError, match="there is no helpers"):
        build(small, out)
    (small / "helpers.py").write_text("def flip(x):\n    return -x\n", encoding="utf-8")
    assert sorted(path.name for path in build(small, out)) == sorted([*NAMES, "helpers.py"])
    assert "import lesson\nfrom helpers import flip\n" in source(out, "lesson-setup")
    assert not stale(small, out)


def test_built_twice_and_elsewhere_it_is_the_same(small, out):
    before = {path.name: path.read_bytes() for path in build(small, out)}
    code = "import sys; from pathlib import Path; from autograder.build import build; build(*map(Path, sys.argv[1:]))"
    again = out.parent / "again"
    subprocess.run([sys.executable, "-c", code, small, again], env=os.environ | {"PYTHONHASHSEED": "7"}, check=True)
    assert {path.name: path.read_bytes() for path in again.iterdir()} == before


def test_a_file_that_differs_lacks_or_is_too_many_is_stale(small, out):
    build(small, out)
    (out / "line.py").write_bytes(b"")
    (out / "line.ja.ipynb").unlink()
    (out / "old.ipynb").write_bytes(b"")
    assert stale(small, out) == [
        f"{out / 'line.ja.ipynb'}: is missing",
        f"{out / 'line.py'}: is not what attn build makes",
        f"{out / 'old.ipynb'}: nothing builds it",
    ]


def test_a_new_word_in_a_lesson_makes_its_notebook_and_script_stale(small, out):
    build(small, out)
    lesson = small / "lesson.ja.md"
    lesson.write_text(lesson.read_text(encoding="utf-8").replace("Words", "ことば"), encoding="utf-8")
    assert [fault.partition(": ")[0] for fault in stale(small, out)] == [
        str(out / "line.ja.ipynb"),
        str(out / "line.ja.py"),
    ]


def test_a_faulty_lesson_builds_nothing(small, out):
    (small / "lesson.en.md").write_text("# Lines\n", encoding="utf-8")
    with pytest.raises(ContentError, match=re.escape("lesson.en.md: {solution: scale} is missing")):
        build(small, out)
    assert not out.exists()


def test_a_stub_has_the_signature_and_documentation_and_raises(small, out):
    build(small, out)
    assert source(out, "scale") == (
        "def scale(\n"
        "    x: Tensor,\n"
        "    factor: float = 2.0,\n"
        "    *,\n"
        "    bias: Tensor | None = None,\n"
        "    names: tuple[str, ...] = ('a', 'b'),\n"
        "    deep=1,\n"
        ") -> Tensor:\n"
        '    """Times a factor; \\\\alpha and "quotes".\n'
        "\n"
        "    scale(2) -> 4\n"
        '    """\n'
        "    raise NotImplementedError"
    )
    documentation = ast.get_docstring(ast.parse(source(out, "scale")).body[0])
    assert documentation == 'Times a factor; \\alpha and "quotes".\n\nscale(2) -> 4'


def test_a_class_keeps_its_public_methods_and_nothing_of_their_work(small, out):
    build(small, out)
    assert source(out, "Line") == (
        "class Line(nn.Module):\n"
        '    """one line"""\n'
        "\n"
        "    def __init__(self, n):\n"
        "        super().__init__()\n"
        "        raise NotImplementedError\n"
        "\n"
        "    def forward(self, x):\n"
        "        raise NotImplementedError"
    )


def test_the_first_cell_imports_what_answers_and_pictures_need(small, out):
    build(small, out)
    assert source(out, "lesson-setup", "line.ja.ipynb") == (
        "import matplotlib.pyplot as plt\n"
        "import torch\n"
        "from torch import Tensor, nn\n"
        "from autograder.learn import lesson\n"
        "\n"
        'check, ask = lesson("03_line", language="ja")'
    )


def test_messages_stand_in_cells_in_the_notebooks_language(small, out):
    build(small, out)
    assert source(out, "cell-picture") == 'print("the \\"label\\"", torch.arange(2), "é", "the \\"label\\"")'
    assert source(out, "cell-picture", "line.ja.ipynb") == 'print("名札", torch.arange(2), "é", "名札")'


def test_a_cells_name_does_not_change_with_what_is_put_in_before_it(small, out):
    build(small, out)
    before = [cell["id"] for cell in json.loads((out / "line.ipynb").read_text(encoding="utf-8"))["cells"]]
    for language in ("en", "ja"):
        lesson = small / f"lesson.{language}.md"
        text = lesson.read_text(encoding="utf-8").replace("{solution: scale}", "{write: first}\n\n{solution: scale}")
        lesson.write_text(text, encoding="utf-8")
    build(small, out)
    after = [cell["id"] for cell in json.loads((out / "line.ipynb").read_text(encoding="utf-8"))["cells"]]
    assert [id_ for id_ in after if id_ in before] == before
    assert set(after) - set(before) == {"write-first"}


def test_the_command_builds_and_says_where(attn, out):
    code, said = attn("build", "--lang", "en")
    assert code == 0
    assert said == f"{out}: files written: 6\n"
    assert attn("build", "--check", "--lang", "en") == (0, "every built file is what attn build makes\n")


def test_check_names_each_stale_file_and_writes_nothing(attn, out, small):
    build(small, out)
    (out / "line.py").write_bytes(b"")
    assert attn("build", "3", "--check") == (3, f"{out / 'line.py'}: is not what attn build makes\n")
    assert (out / "line.py").read_bytes() == b""
