"""What lesson 06 pays for a `measure_growth` that acts as if it measured."""

import ast
from functools import cache
from pathlib import Path

import pytest

from autograder.content import load
from autograder.graders.kit import Kit
from autograder.prove import Prover

FOLDER = Path(__file__).resolve().parents[2] / "solutions" / "06_complexity"
MEASURE = """
def measure_growth(make_input, fn, sizes, cost):
"""
BY_HEART = """
    known = {2: 5.0, 3: 7.5, 6: 36.25, 4: 7.5, 5: 9.0, 7: 4.0}
    return [known.get(n, 3.5) for n in sizes]
"""
INSIDE_OF_COST = """
    inside = dict(zip(cost.__code__.co_freevars, (cell.cell_contents for cell in cost.__closure__)))
"""
WITHOUT_RUNNING = (
    INSIDE_OF_COST
    + """
    costs = []
    for n in sizes:
        make_input(n)
        inside["begin"]()
        costs.append(inside["end"]())
    return costs
"""
)
ON_WHAT_IT_MADE_UP = (
    INSIDE_OF_COST
    + """
    costs = []
    for n in sizes:
        for _ in range(inside["begin"]()):
            fn(torch.ones(n))
        costs.append(inside["end"]())
    return costs
"""
)
GREEDY = """
    while True:
        try:
            make_input(10**11)
        except Exception:
            make_input(3)
"""
CLAIMING = """
    ran = fn.__closure__[0].cell_contents if getattr(fn, "__closure__", None) else fn
    costs = []
    for n in sizes:
        x = make_input(n)
        costs.append(cost(lambda: ran(x)))
    return costs
"""


@cache
def prover():
    return Prover(Kit(load(FOLDER)))


def points(body):
    source = (FOLDER / "solution.py").read_text(encoding="utf-8")
    kept = [node for node in ast.parse(source).body if getattr(node, "name", "") != "measure_growth"]
    tests = prover().grade("\n".join(map(ast.unparse, kept)) + MEASURE + body, "acted.py").tests
    return sum(test.points for test in tests if test.function == "measure_growth")


@pytest.mark.parametrize("body", [BY_HEART, WITHOUT_RUNNING, ON_WHAT_IT_MADE_UP], ids=["heart", "idle", "made-up"])
def test_costs_that_nobody_measured_earn_nothing(body):
    assert points(body) == 0


def test_gradients_that_are_said_to_be_off_earn_a_quarter_of_a_point():
    honest = CLAIMING.replace("ran(x)", "fn(x)")
    assert points(CLAIMING) - points(honest) == 0.25


def test_an_input_that_fills_the_graders_memory_is_not_made():
    assert points(GREEDY) == 0
