"""What lesson 05 shows of the learner's layer beside PyTorch's, in whichever right way it was written."""

import ast
from pathlib import Path

import pytest
import torch
from torch import nn

from autograder.learn.heatmap import heatmap

AUTHORED = Path(__file__).resolve().parents[2] / "solutions" / "05_multi_head"
ANSWERS = [AUTHORED / "solution.py", *sorted((AUTHORED / "accepted").glob("*.py"))]
MILLIONTH = 1e-6
COPIES_A_BIAS = "mine.W_O.bias.copy_(theirs.out_proj.bias)"


class Lesson:
    """The comparing cells of the built notebook, run on an answer."""

    def __init__(self, notebook, answer):
        self.cells = {cell["id"]: cell["source"] for cell in notebook.cells}
        self.names = {"torch": torch, "nn": nn, "heatmap": heatmap}
        exec(compile(answer, "answer", "exec"), self.names)

    def table(self, name):
        """The numbers of the table with which a cell ends."""
        *statements, last = ast.parse(self.cells[f"cell-{name}"]).body
        exec(compile(ast.Module(statements, []), name, "exec"), self.names)
        return eval(compile(ast.Expression(last.value), name, "eval"), self.names).values


@pytest.fixture
def lesson(built_named):
    """The lesson of an answer, given as text."""
    return lambda answer: Lesson(built_named("multi_head.ipynb"), answer)


@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.stem)
def test_no_right_layer_is_told_that_it_differs_from_pytorch(lesson, path):
    opened = lesson(path.read_text(encoding="utf-8"))
    assert {value for row in opened.table("same_as_pytorch") for value in row} == {True}
    gaps = [*opened.names["as_built"], *opened.names["with_biases"]]
    assert max(gaps) < MILLIONTH / 2  # so that another machine's rounding does not reach it either


def test_a_layer_that_lacks_a_bias_is_told_so_once_biases_are_not_zero(lesson):
    solution = (AUTHORED / "solution.py").read_text(encoding="utf-8")
    as_built, with_biases = lesson(solution.replace(COPIES_A_BIAS, "mine.W_O.bias.zero_()")).table("same_as_pytorch")
    assert as_built == (True, True, True)
    assert with_biases == (False, True, True)


def test_forgotten_biases_show_only_where_pytorch_s_are_not_zero(lesson):
    opened = lesson((AUTHORED / "solution.py").read_text(encoding="utf-8"))
    opened.table("same_as_pytorch")
    as_built, with_biases = opened.table("biases_forgotten")
    assert max(as_built) < MILLIONTH
    assert min(with_biases) > 0.01
