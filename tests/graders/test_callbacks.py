"""Functions of the grader as arguments, in an assignment that measures; and floats, of which no dtype is known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from autograder.calls import Action, Callback, Limit, Outcome, Status, Step
from autograder.compare import Expected, difference
from autograder.content import load
from autograder.graders.kit import Kit
from autograder.graders.report import findings, results
from autograder.graders.session import run_graders
from autograder.model import Cell
from autograder.prove import Prover
from autograder.prove.reference import prove_reference
from autograder.sandbox.host import Host, Limits
from autograder.targets.inprocess import InProcess
from autograder.targets.sandboxed import Sandboxed

MEASURED = """import pytest

@pytest.mark.points("scale", 0)
def test_a_clock_and_the_work_that_moves_it(agree, callbacks):
    def device():
        now = [0.0]

        def work(seconds):
            now[0] += seconds

        return {"clock": lambda: now[0], "work": work}

    parts = callbacks(device)
    agree.scale(parts["clock"], parts["work"])
    order = [event.name for event in agree.events]
    assert order[0] == "clock"
    assert order.count("work") == 1
"""
SOLUTION = """
def scale(clock, work):
    start = clock()
    work(3.0)
    return clock() - start
"""


def with_test(folder: Path, test: str, scale: str) -> None:
    """Gives the assignment a hidden test, another reference for `scale`, and no mistakes."""
    (folder / "test_hidden.py").write_text(test, encoding="utf-8")
    solution = folder / "solution.py"
    written = solution.read_text(encoding="utf-8")
    solution.write_text(written.replace("def scale(x, a):\n    return x * a  # (n,)\n", scale), encoding="utf-8")
    (folder / "mistakes.toml").write_text("", encoding="utf-8")
    name = test.split("def test_")[1].split("(", maxsplit=1)[0]
    for language in ("en", "ja"):
        words = folder / f"text.{language}.toml"
        kept = words.read_text(encoding="utf-8").split("[mistakes.")[0]
        words.write_text(f'{kept}{name} = "as it should be"\n', encoding="utf-8")


def measured(folder: Path, *answers: str) -> list[str]:
    """How the test that measures ends for each answer, all of one kit."""
    with_test(folder, MEASURED, SOLUTION)
    kit = Kit(load(folder))
    verdicts = []
    for answer in answers:
        runs = run_graders(kit, InProcess.from_source(answer, filename="answer.py"))
        verdicts += [test.status for test in results(kit, runs) if test.name == "a_clock_and_the_work_that_moves_it"]
    return verdicts


def test_functions_made_together_share_what_they_know(folder: Path) -> None:
    often = "def scale(clock, work):\n    start = [clock(), clock()][1]\n    work(3.0)\n    return clock() - start\n"
    twice = "def scale(clock, work):\n    start = clock()\n    work(1.5)\n    work(1.5)\n    return clock() - start\n"
    never = "def scale(clock, work):\n    start = clock()\n    return clock() - start\n"
    assert measured(folder, SOLUTION, often, twice, never, SOLUTION) == [
        "passed", "passed", "failed", "failed", "passed",
    ]  # fmt: skip


BOX = """
class Box:
    filled = 0

    def fill(self, number):
        self.filled += number
"""
FILLS = "def scale(fill, number):\n    fill(number)\n    return number\n"
READS = """import pytest

@pytest.mark.points("scale", 0)
def test_boxes_are_filled(agree):
    box = agree.helper.Box()
    agree.scale(box.part("fill"), 3)
    box.get("filled")
"""


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (FILLS, None),
        (FILLS.replace("fill(number)", "fill(2)"), "property"),
        (FILLS.replace("fill(number)", "fill()"), "raised"),  # the call that raised, not what the box holds after it
    ],
)
def test_a_part_of_an_object_is_an_argument_like_any_other(folder: Path, answer: str, said: str | None) -> None:
    (folder / "helpers.py").write_text(BOX, encoding="utf-8")
    with_test(folder, READS, FILLS)
    kit = Kit(load(folder))
    runs = run_graders(kit, InProcess.from_source(answer, kit.assignment.helpers, filename="answer.py"))
    found = findings(kit, [ran for ran in runs if ran.test == "boxes_are_filled"])
    assert [finding.property.id for finding in found if finding.property] == ([said] if said else [])


LOOKS = """import pytest
@pytest.mark.points("scale", 0)
def test_what_is_told(agree, callback):
    agree.scale(callback("tell", lambda: lambda number: number), 3)
    told = [event.args[0] for event in agree.events]
    assert sum(told) < 9
    assert bool(told[0] == 3)
    assert told[0] + 1 == 4
"""
TELLS = "def scale(tell, number):\n    tell(number)\n    return number\n"


@pytest.mark.parametrize(
    ("answer", "ends"),
    [
        (TELLS, "passed"),
        (TELLS.replace("tell(number)", "tell(4)"), "failed"),
        (TELLS.replace("tell(number)", "pass"), "failed"),  # the test looks for what is not there
        (TELLS.replace("tell(number)", "import numpy; tell(numpy.zeros(2))"), "failed"),  # has no truth value
        (TELLS.replace("tell(number)", "tell('3')"), "failed"),
        (TELLS.replace("tell(number)", "tell(None)"), "failed"),
        (TELLS.replace("tell(number)", "tell()"), "failed"),
    ],
)
def test_what_a_test_cannot_make_sense_of_is_the_submissions_fault(folder: Path, answer: str, ends: str) -> None:
    with_test(folder, LOOKS, TELLS)
    kit = Kit(load(folder))
    runs = run_graders(kit, InProcess.from_source(answer, filename="answer.py"))
    assert [test.status for test in results(kit, runs) if test.name == "what_is_told"] == [ends]


@pytest.mark.parametrize(
    ("fault", "ends"),
    [("told[1]", "failed"), ("undefined", "error"), ("open('/nowhere')", "error")],
)
def test_a_fault_in_a_test_that_hands_out_functions_is_seen_by_the_reference(
    folder: Path, fault: str, ends: str
) -> None:
    with_test(folder, LOOKS.replace("assert sum(told) < 9", fault), TELLS)
    prover = Prover(Kit(load(folder)))
    prove_reference(prover)
    assert f"solution.py: what_is_told is {ends}" in " ".join(prover.faults)


def test_a_function_of_the_grader_that_fails_is_seen_by_the_reference(folder: Path) -> None:
    with_test(folder, LOOKS.replace("lambda number: number", "lambda number: number.is_there"), TELLS)
    prover = Prover(Kit(load(folder)))
    prove_reference(prover)
    assert "solution.py: what_is_told is error" in " ".join(prover.faults)


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    with Host() as host:
        yield host


TOO_MUCH, TOO_OFTEN = (Status.OUT_OF_MEMORY, Limit.CALLBACK_BYTES), (Status.TIMEOUT, Limit.CALLBACKS)
FUNCTIONS = {
    "say": lambda *_: None,
    "ones": torch.ones,
    "words": lambda number: ["ab"] * number,
    "refuse": lambda what: {}[what],
}


@pytest.mark.parametrize(
    ("body", "ends"),
    [
        ("say(1)", TOO_OFTEN),
        ("say()", TOO_OFTEN),
        ("say(torch.zeros(1 << 16))", TOO_MUCH),
        ("say(torch.zeros(1 << 20))", TOO_MUCH),
        ("say(torch.zeros(1 << 16, dtype=torch.bool))", TOO_MUCH),  # an eighth of what it is compared as
        ("say([torch.zeros(0)] * 1000)", TOO_MUCH),
        ("say('x' * 100_000)", TOO_MUCH),
        ("say(['ab'] * 10_000)", TOO_MUCH),
        ("say([[]] * 10_000)", TOO_MUCH),
        ("say(2**900)", TOO_MUCH),
        ("ones(1 << 16)", TOO_MUCH),
        ("ones(1 << 23)", TOO_MUCH),  # what only the grader could hold
        ("words(10_000)", TOO_MUCH),
        ("words(2_000_000)", TOO_MUCH),
        ("refuse(torch.zeros(1 << 10))", TOO_MUCH),  # nothing of it is kept
        ("refuse(2)", TOO_OFTEN),
    ],
)
def test_what_a_submission_does_with_functions_of_the_grader_has_an_end(
    host: Host, body: str, ends: tuple[Status, Limit]
) -> None:
    source = f"""import torch
def f(say, ones, words, refuse):
    while True:
        try:
            {body}
        except Exception:
            pass
def fine(say):
    say(torch.ones(2))
    return 42
"""
    target = Sandboxed(host, [Cell(label="answer.py", source=source)], limits=Limits(call_seconds=30.0))
    target.begin(FUNCTIONS)
    outcome = target.perform(Step(Action.CALL, "f", tuple(map(Callback, FUNCTIONS))))
    assert outcome.exceeded is not None
    assert (outcome.status, outcome.exceeded.limit) == ends
    assert len(outcome.events) <= Limits().callbacks
    target.begin(FUNCTIONS)
    assert target.perform(Step(Action.CALL, "fine", (Callback("say"),))).value == 42
    target.close()


def test_an_exception_of_the_grader_does_not_write_out_what_it_was_given(host: Host) -> None:
    source = """import torch
def f(refuse):
    said = []
    for what in ("x" * 9000, torch.arange(4**7).reshape([4] * 7), 3):
        try:
            refuse(what)
        except RuntimeError as error:
            said.append(str(error))
    return said
"""
    target = Sandboxed(host, [Cell(label="answer.py", source=source)])
    target.begin(FUNCTIONS)
    outcome = target.perform(Step(Action.CALL, "f", (Callback("refuse"),)))
    target.close()
    assert outcome.value == ["KeyError: " + "x" * 500, "KeyError: ", "KeyError: "]


@pytest.mark.parametrize(
    ("mine", "wanted", "agrees"),
    [
        (2.0 + 1e-4, 2.0, True),  # a slope of logarithms in float32
        (2.01, 2.0, False),
        (1e-5, 0.0, True),
        (1e-3, 0.0, False),
        (float("nan"), 0.0, False),
        (7, 7.0, True),
        (7.0, 7, False),
    ],
)
def test_a_float_is_judged_as_float32(mine: float, wanted: float, agrees: bool) -> None:  # noqa: FBT001
    seen, expected = (Outcome(Status.RETURNED, value) for value in (mine, wanted))
    assert (difference(seen, Expected(expected, expected)) is None) is agrees


def test_a_test_may_leave_to_another_whether_a_number_is_whole(folder: Path) -> None:
    solution = folder / "solution.py"
    source = solution.read_text(encoding="utf-8").replace("return x + b  # (n,)", "return len(x) + len(b)")
    solution.write_text(source, encoding="utf-8")
    (folder / "mistakes.toml").write_text("", encoding="utf-8")
    (folder / "test_hidden.py").write_text(
        "import pytest\n@pytest.mark.points('shift', 0)\ndef test_numbers_alone(agree, make):\n"
        "    agree.any_dtype.shift(make.tensor(3), make.tensor(1))\n",
        encoding="utf-8",
    )
    for language in ("en", "ja"):
        words = folder / f"text.{language}.toml"
        kept = words.read_text(encoding="utf-8").split("[mistakes.")[0]
        words.write_text(kept + 'numbers_alone = "numbers alone"\n', encoding="utf-8")
    kit = Kit(load(folder))
    for returned, status in (("float(len(x) + len(b))", "passed"), ("len(x) + len(b) + 0.5", "failed")):
        answer = source.replace("len(x) + len(b)", returned)
        runs = run_graders(kit, InProcess.from_source(answer, filename="answer.py"))
        verdicts = {test.name: test.status for test in results(kit, runs) if test.function == "shift"}
        assert verdicts == {"numbers_are_shifted": "failed", "numbers_alone": status}
