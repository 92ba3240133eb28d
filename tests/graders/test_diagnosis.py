"""Mistakes are named by what the code gives, never by how it is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.content import generated
from autograder.model import Finding, NamedMistake
from autograder.prove import Graded

Grade = Callable[..., Graded]
Edit = tuple[str, str]

SQUARED = ("return x * a ", "return a**2 * x ")
DETACHED = ("return x * a ", "return torch.tensor(x.tolist(), dtype=x.dtype) * a ")
MINUS = ("return x + b", "return -(b - x)")
TWICE = ("return x + b", "return x + b + b")
FORGOTTEN = ("shift(scaled, b)", "torch.add(x, b)")


def named(graded: Graded) -> list[tuple[list[str], tuple[str, ...]]]:
    return [([mistake.id for mistake in finding.mistakes], finding.functions) for finding in graded.found]


def test_a_mistake_written_otherwise_is_named(grade: Grade) -> None:
    assert named(grade(SQUARED)) == [(["scale-squared"], ("scale", "line"))]


def test_a_mistake_seen_only_in_gradients_is_named(grade: Grade) -> None:
    assert named(grade(DETACHED)) == [(["scale-detached"], ("scale",))]


@pytest.mark.parametrize(("edit", "amount"), [(MINUS, "minus"), (TWICE, "twice")])
def test_a_family_carries_its_member(grade: Grade, edit: Edit, amount: str) -> None:
    assert grade(edit).found[0].mistakes == (NamedMistake("shift-wrong-amount", {"amount": amount}),)


def test_two_mistakes_in_two_functions_are_both_named_and_explain_what_uses_them(grade: Grade) -> None:
    assert sorted(named(grade(SQUARED, MINUS))) == [
        (["scale-squared"], ("scale", "line")),
        (["shift-wrong-amount"], ("shift", "line")),
    ]


def test_two_mistakes_in_one_function_are_both_named(grade: Grade) -> None:
    both = ("    scaled = scale(x, a)  # (n,)\n    return shift(scaled, b)", "    return x - b")
    assert named(grade(both)) == [(["shift-wrong-amount", "line-scale-forgotten"], ("line",))]


def test_a_mistake_beside_one_in_a_function_it_uses_is_named(grade: Grade) -> None:
    found = named(grade(MINUS, ("shift(scaled, b)", "shift(x, b)")))
    assert found == [(["shift-wrong-amount"], ("shift", "line")), (["line-scale-forgotten"], ("line",))]


def test_what_no_mistake_explains_is_told_by_its_property(grade: Grade) -> None:
    (finding,) = grade(("return x + b", "return x + b * 3")).found
    assert finding.mistakes == ()
    assert finding.property is not None
    assert finding.property.id == "property"
    assert finding.property.with_["test"] == "numbers_are_shifted"
    assert finding.property.with_["kind"] == "values"


def test_an_asserted_property_is_preferred_to_numbers(grade: Grade) -> None:
    (finding,) = grade(("return x * a ", "return x * a + 1 ")).found
    assert finding.property is not None
    assert finding.property.with_["test"] == "zero_stays_zero"


def test_an_unexplained_function_silences_those_that_use_it(grade: Grade) -> None:
    assert [finding.functions for finding in grade(("return x + b", "return x + b * 3")).found] == [("shift",)]


def test_exceptions_alone_name_nothing(grade: Grade) -> None:
    (finding,) = grade(("return x + b", "raise ValueError('no')")).found
    assert isinstance(finding, Finding)
    assert finding.mistakes == ()
    assert finding.property is not None
    assert finding.property.id == "raised"
    assert finding.property.with_["type_name"] == "ValueError"


def test_without_its_entry_a_mistake_still_breaks_a_property(grade: Grade) -> None:
    (finding,) = grade(SQUARED, without=("scale-squared",)).found
    assert finding.mistakes == ()
    assert finding.property is not None


def test_another_kind_of_result_is_the_property_itself(grade: Grade) -> None:
    (finding,) = grade(("return x + b", "return (x + b)[None]")).found
    assert finding.property is not None
    assert (finding.property.id, finding.property.with_["yours"]) == ("shape", "(1, 5)")


def test_of_two_explanations_the_one_in_a_function_that_is_wrong_is_told(grade: Grade) -> None:
    """Doubling b inside `line` is also what a wrong `shift` would do, but the calls of `shift` are right."""
    twice = ("shift(scaled, b)", "shift(scaled, b + b)")
    assert named(grade(twice)) == [(["line-amount-doubled"], ("line",))]


def test_a_mistake_written_into_another_function_is_named_there(grade: Grade) -> None:
    squared = ("scaled = scale(x, a)", "scaled = x * a * a")
    assert named(grade(squared)) == [(["scale-squared"], ("line",))]


def test_an_edit_that_nobody_wrote_is_named_in_plain_words(grade: Grade) -> None:
    (finding,) = grade(("return shift(scaled, b)", "return scale(x, a) + a")).found
    assert finding.mistakes == (NamedMistake("edit", {"function": "line", "target": "", "old": "b", "new": "a"}),)


MORE_CALLS = """import pytest


@pytest.mark.points("scale", 0)
def test_more_numbers_are_scaled(agree, make):
    for n in (5, 6, 7, 8, 9):
        agree.scale(make.tensor(n), make.tensor(1))


@pytest.mark.points("scale", 0)
def test_four_numbers_are_scaled(agree, make):
    agree.scale(make.tensor(4), make.tensor(1))
"""


def test_a_slip_elsewhere_does_not_hide_a_known_mistake(grade: Grade, folder: Path) -> None:
    """Squared as known, and for four numbers wrong in a way that nobody knows: both are told."""
    (folder / "test_hidden.py").write_text(MORE_CALLS, encoding="utf-8")
    graded = grade(("return x * a ", "return x * a * (a if len(x) != 4 else 7) "))
    first, rest = [finding for finding in graded.found if finding.functions[0] == "scale"]
    assert [mistake.id for mistake in first.mistakes] == ["scale-squared"]
    assert "four_numbers_are_scaled" not in first.explains
    assert rest.property is not None
    assert rest.property.with_["test"] == "four_numbers_are_scaled"


def test_what_explains_only_some_of_it_is_not_named(grade: Grade, folder: Path) -> None:
    (folder / "test_hidden.py").write_text(MORE_CALLS, encoding="utf-8")
    graded = grade(("return x * a ", "return x * a * (a if len(x) == 5 else 7) "))
    assert named(graded) == [([], ("scale",))]


def test_a_mistake_that_some_right_calls_contradict_is_named_for_the_others(grade: Grade, folder: Path) -> None:
    (folder / "test_hidden.py").write_text(MORE_CALLS, encoding="utf-8")
    (finding,) = grade(("return x * a ", "return x * a * (a if len(x) != 4 else 1) ")).found
    assert finding.mistakes == (NamedMistake("scale-squared", {"region": "some-calls"}),)
    assert finding.functions == ("scale", "line")


def test_what_contradicts_nearly_all_calls_is_not_named(grade: Grade, folder: Path) -> None:
    (folder / "test_hidden.py").write_text(MORE_CALLS, encoding="utf-8")
    (finding,) = grade(("return x * a ", "return x * a * (a if len(x) == 9 else 1) ")).found
    assert finding.mistakes == ()


def test_a_negative_number_is_replaced_as_one() -> None:
    edits = generated("def f(x):\n    return x.shape[-1]\n")
    pairs = {(edit.cases[0].parameters["old"], edit.cases[0].parameters["new"]) for edit in edits}
    assert ("-1", "1") in pairs
    assert ("-1", "-2") in pairs
    assert not any(old == "1" for old, _ in pairs)


def test_a_transposition_is_left_out_or_put_in_as_the_library_spells_it() -> None:
    source = "import {}\n\ndef f(x):\n    return x.T\n"
    arrays, tensors = (
        {edit.cases[0].parameters["new"] for edit in generated(source.format(library))}
        for library in ("numpy as np", "torch.nn.functional as F")
    )
    assert {"x", "x.T.swapaxes(-2, -1)", "abs(x.T)"} <= {str(new).replace("(x.T).", "x.T.") for new in arrays}
    assert not any(".detach" in str(new) for new in arrays)
    assert {"x", "(x.T).detach()"} <= tensors


def test_a_class_that_lacks_a_parameter_has_a_finding(grade: Grade) -> None:
    found = grade(("self.weight = nn.Parameter(torch.zeros(n))", "self.w = nn.Parameter(torch.zeros(n))")).found
    assert [finding.property.id for finding in found if finding.property] == ["missing"]
    assert found[0].property is not None
    assert found[0].property.with_["name"] == "weight"


def test_a_constructor_that_raises_is_told_before_what_lacks_its_object(grade: Grade) -> None:
    (finding,) = grade(("        super().__init__()", "        raise ValueError('no')")).found
    assert finding.property is not None
    assert (finding.property.id, finding.property.with_["type_name"]) == ("raised", "ValueError")
