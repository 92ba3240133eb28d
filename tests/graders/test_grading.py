"""Graders are pytest tests that compare a submission with the reference and say how it differs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import torch

from autograder.calls import Outcome, Status
from autograder.compare import Expected, difference
from autograder.content import load
from autograder.graders.inputs import Make
from autograder.graders.kit import Kit
from autograder.graders.report import findings, report, results
from autograder.graders.session import run_graders
from autograder.model import ContentError, Message, Submission
from autograder.prove import Graded, prove
from autograder.targets.inprocess import InProcess

Grade = Callable[..., Graded]


def status(graded: Graded, name: str) -> str:
    return next(test.status for test in graded.tests if test.name == name)


def message(graded: Graded, name: str) -> Message:
    found = next(test.message for test in graded.tests if test.name == name)
    assert found is not None
    return found


def test_the_reference_gets_every_point(grade: Grade) -> None:
    graded = grade()
    assert [test.status for test in graded.tests] == ["passed"] * 6
    assert sum(test.points for test in graded.tests) == 20
    assert graded.found == ()


@pytest.mark.parametrize(
    ("find", "replace", "test", "expected"),
    [
        ("return x + b", "return (x + b).double()", "numbers_are_shifted", ("dtype", "float32", "float64")),
        ("return x + b", "return (x + b)[None]", "numbers_are_shifted", ("shape", "(5,)", "(1, 5)")),
        ("return x + b", "return None", "numbers_are_shifted", ("type", "tensor (5,)", "None")),
        ("return x.sum(), x.amax()", "return x.sum()", "both_parts_come_back", ("type", "tuple of 2", "tensor ()")),
        ("x.sum(), x.amax()", "x.sum(), x.amax(), 1", "both_parts_come_back", ("length", 2, 3)),
    ],
)
def test_a_result_of_another_kind_is_said_so(
    grade: Grade, find: str, replace: str, test: str, expected: tuple[Any, ...]
) -> None:
    said = message(grade((find, replace)), test)
    assert (said.id, said.with_["expected"], said.with_["yours"]) == expected


def test_wrong_values_come_with_the_worst_element(grade: Grade) -> None:
    said = message(grade(("return x + b", "x = x + b; x[3] += 7; return x")), "numbers_are_shifted")
    assert said.id == "values"
    assert said.with_["where"] == [3]
    assert said.with_["difference"] == "7"


def test_nan_never_passes(grade: Grade) -> None:
    said = message(grade(("return x + b", "return (x + b) * float('nan')")), "numbers_are_shifted")
    assert (said.id, said.with_["yours"]) == ("nonfinite", "nan")


def test_changing_an_input_is_seen(grade: Grade) -> None:
    said = message(grade(("return x + b", "x += b; return x")), "numbers_are_shifted")
    assert (said.id, said.with_) == ("changed", {"argument": "0"})


def test_a_missing_gradient_is_seen(grade: Grade) -> None:
    said = message(grade(("return x * a ", "return x.detach() * a ")), "numbers_are_scaled")
    assert (said.id, said.with_) == ("gradient-missing", {"argument": "0"})


def test_a_wrong_gradient_is_seen_where_values_are_right(grade: Grade) -> None:
    twice = "y = x * 2; return (y - y.detach() + x.detach()) * a "
    assert message(grade(("return x * a ", twice)), "numbers_are_scaled").id == "gradient"


def test_gradients_of_parameters_are_seen(grade: Grade) -> None:
    said = message(grade(("x * self.weight ", "x * self.weight.detach() ")), "weights_are_used")
    assert said.with_ == {"argument": "self.weight"}


def test_an_exception_is_told_as_the_learners_own_line(grade: Grade) -> None:
    said = message(grade(("return x + b", "return x + c")), "numbers_are_shifted")
    assert said.with_["type_name"] == "NameError"
    assert said.with_["code"] == "return x + c  # (n,)"


def test_only_tests_of_an_unwritten_function_are_skipped(grade: Grade) -> None:
    graded = grade(("return x + b", "raise NotImplementedError"))
    assert status(graded, "numbers_are_shifted") == "skipped"
    assert status(graded, "numbers_are_scaled") == "passed"
    assert status(graded, "weights_are_used") == "passed"


def test_a_missing_function_is_missing(grade: Grade) -> None:
    assert status(grade(("def parts(", "def pieces(")), "both_parts_come_back") == "missing"


def test_a_property_that_fails_is_told_by_its_test(grade: Grade) -> None:
    said = message(grade(("return x * a ", "return x * a + 1 ")), "zero_stays_zero")
    assert (said.id, said.with_) == ("property", {"test": "zero_stays_zero"})


def test_library_functions_that_do_the_task_are_told(grade: Grade) -> None:
    used = "torch.nn.functional.softmax(x, 0); return x.sum(), x.amax()"
    graded = grade(("return x.sum(), x.amax()", used))
    assert message(graded, "both_parts_come_back").id == "off-limits"
    assert status(graded, "numbers_are_shifted") == "passed"


def test_a_test_fails_where_one_of_its_dtypes_fails(grade: Grade) -> None:
    graded = grade(("return x * a ", "return (x.double() * a.double()).float() "))
    assert status(graded, "numbers_are_scaled") == "failed"
    assert message(graded, "numbers_are_scaled").id == "dtype"


def test_half_precision_inside_fails(grade: Grade) -> None:
    graded = grade(("return x + b", "return (x / 3).bfloat16().float() * 3 + b"))
    assert status(graded, "numbers_are_shifted") == "failed"


def test_float32_inside_float64_passes(grade: Grade) -> None:
    graded = grade(("return x * a ", "return ((x / 3).float() * a.float() * 3).to(x.dtype) "))
    assert status(graded, "numbers_are_scaled") == "passed"


def test_a_fault_of_a_test_is_an_error_of_ours(folder: Path, kit: Kit) -> None:
    path = folder / "test_hidden.py"
    path.write_text(
        "import pytest\n@pytest.mark.points('shift', 0)\ndef test_broken(student):\n    student.nothing_here = 1 / 0\n",
        encoding="utf-8",
    )
    runs = run_graders(kit, InProcess.from_source(kit.assignment.solution, filename="answer.py"))
    broken = results(kit, runs)[-1]
    assert broken.status == "error"
    assert broken.message == Message("internal", {"text": "ZeroDivisionError: division by zero"})


def test_a_test_whose_calls_depend_on_the_answer_is_found(folder: Path) -> None:
    (folder / "test_hidden.py").write_text(
        "import pytest\n@pytest.mark.points('shift', 0)\ndef test_chained(student, make):\n"
        "    x, b = make.tensor(3), make.tensor(1)\n    student.shift(student.shift(x, b), b)\n",
        encoding="utf-8",
    )
    sentence = 'chained = "chained"\n[mistakes.scale-squared]'
    for name in ("text.en.toml", "text.ja.toml"):
        path = folder / name
        path.write_text(
            path.read_text(encoding="utf-8").replace("[mistakes.scale-squared]", sentence), encoding="utf-8"
        )
    faults = prove(folder)["faults"]
    assert any("call 2 depends on what the submission returned" in fault for fault in faults)


def test_inputs_are_the_same_everywhere() -> None:
    make = Make("public/90_lines/1/example", dtype=torch.float32, device="cpu")
    assert make.tensor(4).tolist() == make_again()
    assert make.permutation(5).sort().values.tolist() == [0, 1, 2, 3, 4]


def make_again() -> list[float]:
    return Make("public/90_lines/1/example", dtype=torch.float32, device="cpu").tensor(4).tolist()


def test_arrays_hold_the_numbers_of_tensors_in_the_runs_dtype_or_another() -> None:
    tensors, arrays = (Make("public/90_lines/1/example", dtype=torch.float64, device="cpu") for _ in range(2))
    assert arrays.array(2, 3).tolist() == tensors.tensor(2, 3).tolist()
    assert (arrays.array(4).dtype, arrays.array(4, dtype="float32").dtype) == (np.float64, np.float32)
    assert np.abs(arrays.array(50, scale=8.0)).max() > 2


def test_another_secret_draws_other_hidden_inputs_and_the_same_visible_ones(folder: Path) -> None:
    public, secret = Kit(load(folder)), Kit(load(folder), secret="a course's own")
    drawn = [kit.make("t", torch.float32, visible=False).tensor(8).tolist() for kit in (public, secret)]
    seen = [kit.make("t", torch.float32, visible=True).tensor(8).tolist() for kit in (public, secret)]
    assert drawn[0] != drawn[1]
    assert seen[0] == seen[1]
    assert "course" not in secret.secret_id


def test_a_test_may_leave_the_dtype_to_another(folder: Path, kit: Kit) -> None:
    (folder / "test_hidden.py").write_text(
        "import pytest\n@pytest.mark.points('shift', 0)\ndef test_numbers_alone(agree, make):\n"
        "    agree.any_dtype.shift(make.tensor(3), make.tensor(1))\n",
        encoding="utf-8",
    )
    doubled = kit.assignment.solution.replace("return x + b", "return x.double() + b")
    runs = run_graders(kit, InProcess.from_source(doubled, filename="answer.py"))
    verdicts = {test.name: test.status for test in results(kit, runs) if test.function == "shift"}
    assert verdicts == {"numbers_are_shifted": "failed", "numbers_alone": "passed"}


def test_a_function_that_only_changes_its_arguments_may_return_anything(folder: Path) -> None:
    solution = folder / "solution.py"
    changing = solution.read_text(encoding="utf-8").replace("return x + b", "x += b  # return x + b")
    solution.write_text(changing, encoding="utf-8")
    kit = Kit(load(folder))
    (folder / "test_hidden.py").write_text(
        "import pytest\n@pytest.mark.points('shift', 0)\ndef test_effect(agree, make):\n"
        "    agree.effects.shift(make.tensor(3), make.tensor(1))\n",
        encoding="utf-8",
    )
    returning = changing.replace("# return x + b", "\n    return x")
    runs = run_graders(kit, InProcess.from_source(returning, filename="answer.py"))
    verdicts = {test.name: test.status for test in results(kit, runs) if test.function == "shift"}
    assert verdicts == {"numbers_are_shifted": "failed", "effect": "passed"}


def test_an_unwritten_function_is_unwritten_where_an_error_is_asked_for(folder: Path) -> None:
    solution = folder / "solution.py"
    refusing = solution.read_text(encoding="utf-8").replace("    return x * a ", "    x @ [[]]\n    return x * a ")
    solution.write_text(refusing, encoding="utf-8")
    kit = Kit(load(folder))
    (folder / "test_hidden.py").write_text(
        "import pytest\n@pytest.mark.points('scale', 0)\ndef test_refused(agree, make):\n"
        "    agree.raises(TypeError).scale(make.tensor(3), make.tensor(1))\n",
        encoding="utf-8",
    )
    unwritten = refusing.replace("    x @ [[]]\n", "    raise NotImplementedError\n")
    runs = run_graders(kit, InProcess.from_source(unwritten, filename="answer.py"))
    verdicts = {test.name: test.status for test in results(kit, runs)}
    assert verdicts["refused"] == "skipped"


def scores(kit: Kit, folder: Path, *edits: tuple[str, str]) -> dict[str, tuple[str, float, bool]]:
    """Each test's status, points and follow-through in the report of the edited reference."""
    source = kit.assignment.solution
    for find, replacement in edits:
        source = source.replace(find, replacement)
    runs = run_graders(kit, InProcess.from_source(source, filename="answer.py"))
    submission = Submission("ann", kit.assignment.name, folder / "answer.py", "0" * 64)
    tests = report(kit, submission, runs, diagnosed=findings(kit, runs)).tests
    return {test.name: (test.status, test.points, test.follow_through) for test in tests}


def test_one_mistake_costs_once(kit: Kit, folder: Path) -> None:
    """`line` is right in the world of a wrong `shift`."""
    marked = scores(kit, folder, ("return x + b", "return x - b"))
    assert marked["numbers_are_shifted"] == ("failed", 0.0, False)
    assert marked["lines_are_straight"] == ("passed", 4.0, True)


def test_a_second_mistake_costs_as_well(kit: Kit, folder: Path) -> None:
    marked = scores(kit, folder, ("return x + b", "return x - b"), ("shift(scaled, b)", "shift(x, b)"))
    assert marked["lines_are_straight"] == ("failed", 0.0, False)


def test_what_is_unexplained_is_not_credited(kit: Kit, folder: Path) -> None:
    marked = scores(kit, folder, ("return x + b", "return x + b * 3"))
    assert marked["lines_are_straight"] == ("failed", 0.0, False)


LISTED = """
[[mistake]]
id = "scale-listed"
frequency = "rare"
source = "made for this test"
find = "return x * a "
replace = "return [x * a] "
"""


def test_nothing_follows_from_what_only_raises(folder: Path) -> None:
    """Where a mistake makes all that uses it raise, whoever raises without an attempt would be right."""
    mistakes = folder / "mistakes.toml"
    mistakes.write_text(mistakes.read_text(encoding="utf-8") + LISTED, encoding="utf-8")
    for text in (folder / "text.en.toml", folder / "text.ja.toml"):
        said = '[mistakes.scale-listed]\nsays = "lists"\nwhy = "Because. So."\nhints = ["try"]\n'
        text.write_text(text.read_text(encoding="utf-8") + said, encoding="utf-8")
    idle = "    scaled = scale(x, a)  # (n,)\n    return shift(scaled, b)"
    marked = scores(Kit(load(folder)), folder, ("return x * a ", "return [x * a] "), (idle, "    raise TypeError"))
    assert marked["lines_are_straight"] == ("failed", 0.0, False)


def test_follow_through_can_be_turned_off(kit: Kit, folder: Path) -> None:
    kit.follow_through = False
    assert scores(kit, folder, ("return x + b", "return x - b"))["lines_are_straight"] == ("failed", 0.0, False)


def test_a_truth_value_is_shown_as_one(kit: Kit) -> None:
    expected = Expected(*[Outcome(Status.RETURNED, torch.tensor([True, False]))] * 2)
    said = difference(Outcome(Status.RETURNED, torch.tensor([True, True])), expected)
    assert said == Message("values", {"path": "", "where": [1], "expected": "False", "yours": "True"})


def test_a_reference_that_does_not_load_is_a_fault_of_ours(kit: Kit) -> None:
    broken = msgspec.structs.replace(kit.assignment, solution="import nothing_of_that_name\n" + kit.assignment.solution)
    with pytest.raises(ContentError, match=r"90_lines/solution\.py: does not load: ModuleNotFoundError"):
        Kit(broken)


def test_an_interrupt_ends_grading_instead_of_failing_a_student(kit: Kit) -> None:
    interrupted = kit.assignment.solution.replace("return x + b", "raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        run_graders(kit, InProcess.from_source(interrupted, filename="answer.py"))
