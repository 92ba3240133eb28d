"""What lesson 06 pays for a `measure_growth` that acts as if it measured."""

import ast
from functools import cache
from pathlib import Path

import pytest

from autograder.content import load
from autograder.graders.kit import Kit
from autograder.graders.report import results
from autograder.graders.session import run_graders
from autograder.model import Cell
from autograder.prove import Prover
from autograder.sandbox.host import Host, Limits
from autograder.targets.sandboxed import Sandboxed

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
BROUGHT_BY_FORCE = """
    things = [torch.zeros(2), torch.zeros(2, 2, 2, 2, 2), torch.tensor(float("nan")), torch.tensor(2j), 2.5, -3]
    things += [10**90, True, None, "3", "x" * 300, [2], {2: 3}, numpy.zeros(2), numpy.array("3"), print, 101]
    inside = [cell.cell_contents for call in (cost, fn) for cell in getattr(call, "__closure__", None) or ()]
    functions = [each for each in (*inside, *FOUND, make_input, fn, cost) if callable(each)]
    FOUND.extend(functions)
    for function in functions:
        for given in [(), *((one,) for one in things), *((one, other) for one in things[:6] for other in things)]:
            try:
                function(*given)
            except Exception:
                pass
    return [0.0 for n in sizes]
"""
LOOKS_FOR_ITSELF = """
import helpers, numpy
FOUND = []
helpers.Teller.__call__ = lambda self, look, what: (FOUND.append(look), look(what))[1]
"""
CLAIMING = """
    ran = fn.__closure__[0].cell_contents if getattr(fn, "__closure__", None) else fn
    costs = []
    for n in sizes:
        x = make_input(n)
        costs.append(cost(lambda: ran(x)))
    return costs
"""


@pytest.fixture
def host():
    with Host() as host:
        yield host


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


def test_whatever_is_handed_to_an_experiment_is_never_a_fault_of_the_grader(host):
    kit = prover().kit
    answer = LOOKS_FOR_ITSELF + kit.assignment.solution + MEASURE + BROUGHT_BY_FORCE
    plenty = 1 << 30
    generous = Limits(
        callbacks=plenty, callback_bytes=plenty, answer_bytes=plenty, call_seconds=30.0, test_seconds=60.0
    )
    target = Sandboxed(host, [Cell(label="acted.py", source=answer)], kit.assignment.helpers, limits=generous)
    verdicts = results(kit, run_graders(kit, target, function="measure_growth"))
    target.close()
    assert {test.status for test in verdicts} == {"failed"}
