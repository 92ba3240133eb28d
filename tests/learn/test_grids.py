"""A result that is off beside what was expected and how far off it is, whatever it is made of."""

import math
import re
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from autograder.calls import Action, Outcome, Status, Step
from autograder.compare import Expected
from autograder.learn.grids import grid_of
from autograder.present.notebook import Card

CALL = Step(Action.CALL, "f")


def grid(yours, wanted, step=CALL):
    """What is shown of one call."""
    return of_calls((step, yours, wanted))


def of_calls(*calls):
    outcomes, steps, expected = [], [], []
    for step, yours, wanted in calls:
        exact = wanted.double() if isinstance(wanted, torch.Tensor) and wanted.is_floating_point() else wanted
        outcomes.append(Outcome(Status.RETURNED, yours))
        steps.append(step)
        expected.append(Expected(Outcome(Status.RETURNED, wanted), Outcome(Status.RETURNED, exact)))
    recording = SimpleNamespace(steps=steps, expected=expected)
    return grid_of(SimpleNamespace(recording=lambda key: recording), [SimpleNamespace(key="t", outcomes=outcomes)])


def lines(shown, language="en"):
    return repr(Card(language, (("grid", ""),), shown)).splitlines()


def html(shown):
    return Card("en", (("grid", ""),), shown)._repr_html_()


def test_expected_yours_and_difference_stand_side_by_side():
    shown = grid(torch.tensor([[1.0, 2.0], [3.0, 5.5]]), torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    assert lines(shown) == [
        "    f()",
        "    expected    yours      difference",
        "    1 2           1   2       ·    ·",
        "    3 4           3 5.5       · +1.5",
    ]
    assert shown.wrong == {(1, 1)}


def test_what_agrees_up_to_rounding_is_not_marked():
    wanted = torch.tensor([[1.0, 2.0]])
    assert grid(wanted + 1e-6, wanted) is None
    assert grid(wanted + torch.tensor([[1e-6, 1.0]]), wanted).wrong == {(0, 1)}


@pytest.mark.parametrize("kind", ["array", "float32 array", "list of arrays"])
def test_arrays_are_shown_as_tensors_are(kind):
    yours, wanted = np.array([[0.25, 0.75]]), np.array([[0.5, 0.5]])
    if kind == "float32 array":
        yours = yours.astype(np.float32)
    if kind == "list of arrays":
        yours, wanted = [wanted, yours], [wanted, wanted]
    shown = grid(yours, wanted)
    assert (shown.yours, shown.expected) == ([["0.25", "0.75"]], [["0.5", "0.5"]])
    assert shown.difference == [["-0.25", "+0.25"]]
    assert shown.call == ("f()[1]" if kind == "list of arrays" else "f()")


def test_an_array_of_any_number_type_and_order_in_memory_is_shown():
    wanted = np.array([[1.0, 2.0], [3.0, 4.0]])
    for yours in (wanted.T[::-1], np.array([[1, 0], [0, 1]], dtype=np.uint16), wanted.astype(">f8") + 1):
        assert grid(yours, wanted) is not None


def test_results_of_different_shapes_stand_side_by_side_with_their_shapes():
    shown = grid(torch.tensor([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]), torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    assert lines(shown) == [
        "    f()",
        "    expected (2, 3)    yours (3, 2)",
        "    1 2 3              1 4",
        "    4 5 6              2 5",
        "                       3 6",
    ]
    assert shown.wrong == set()
    assert html(shown).count("<table") == 2


def test_of_different_shapes_with_further_axes_the_first_matrices_are_shown():
    shown = grid(torch.ones(2, 3, 1, 2), torch.zeros(3, 2))
    assert shown.shapes == ("(3, 2)", "(2, 3, 1, 2) [0][0]")
    assert shown.yours == [["1", "1"]]


def test_nan_and_infinity_are_shown_for_what_they_are():
    inf, nan = math.inf, math.nan
    shown = grid(torch.tensor([[nan, inf, -inf, inf]]), torch.tensor([[0.0, 0.0, inf, inf]]))
    assert shown.yours == [["nan", "inf", "-inf", "inf"]]
    assert shown.difference == [["≠", "+inf", "-inf", "·"]]
    assert shown.wrong == {(0, 0), (0, 1), (0, 2)}


def test_nan_where_nan_is_expected_is_right():
    assert grid(torch.tensor([math.nan, 1.0]), torch.tensor([math.nan, 1.0])) is None


def test_booleans_differ_without_a_number():
    shown = grid(torch.tensor([[True, False]]), torch.tensor([[True, True]]))
    assert shown.yours == [["True", "False"]]
    assert shown.difference == [["·", "≠"]]


@pytest.mark.parametrize("yours", [24, 24.0, torch.tensor(24), np.int64(24)])
def test_a_number_is_shown_like_a_table_of_one(yours):
    shown = grid(yours, 12)
    assert (shown.expected, shown.difference) == ([["12"]], [["+12"]])


@pytest.mark.parametrize("yours", ["24", None, (1, 2), torch.tensor([24.0]), 12, 10**30, 24 + 1j, np.array(["a"])])
def test_what_is_no_number_or_is_right_is_not_shown(yours):
    assert grid(yours, 12) is None


def test_of_a_large_result_the_part_around_the_first_difference_is_shown():
    wanted = torch.zeros(2, 30, 40)
    yours = wanted.clone()
    yours[1, 10, 20] = 1.0
    shown = grid(yours, wanted)
    assert shown.call == "f()[1][9:14, 19:24]"
    assert (len(shown.yours), len(shown.yours[0])) == (5, 5)
    assert shown.wrong == {(1, 1)}


def test_the_part_shown_ends_where_the_result_does():
    wanted = torch.zeros(4, 40)
    yours = wanted.clone()
    yours[3, 39] = 1.0
    shown = grid(yours, wanted)
    assert shown.call == "f()[:, 35:40]"
    assert shown.wrong == {(3, 4)}


def test_of_more_than_two_axes_the_first_matrix_that_is_off_is_shown():
    wanted = torch.zeros(2, 3, 2, 2)
    yours = wanted.clone()
    yours[1, 2, 0, 1] = 1.0
    assert grid(yours, wanted).call == "f()[1][2]"


def test_the_smallest_call_is_shown():
    big, small = (Step(Action.CALL, "f", (torch.zeros(size, size),)) for size in (5, 2))
    shown = of_calls((big, torch.ones(5, 5), torch.zeros(5, 5)), (small, torch.ones(2, 2), torch.zeros(2, 2)))
    assert len(shown.yours) == 2


def test_an_exception_has_no_grid():
    recording = SimpleNamespace(
        steps=[CALL], expected=[Expected(Outcome(Status.RETURNED, 1), Outcome(Status.RETURNED, 1))]
    )
    ran = SimpleNamespace(key="t", outcomes=[Outcome(Status.RAISED)])
    assert grid_of(SimpleNamespace(recording=lambda key: recording), [ran]) is None


def test_a_page_marks_what_is_off_in_each_of_the_three():
    page = html(grid(torch.tensor([[1.0, 9.0]]), torch.tensor([[1.0, 2.0]])))
    assert re.findall(r"<caption[^>]*>([^<]*)</caption>", page) == ["expected", "yours", "difference"]
    marked = re.findall(r"<td[^>]*rgba[^>]*>([^<]*)</td>", page)
    assert marked == ["2", "9", "+7"]


def test_japanese_names_keep_columns_below_each_other():
    shown = grid(torch.tensor([[1.0, 9.0]]), torch.tensor([[1.0, 2.0]]))
    assert lines(shown, "ja") == [
        "    f()",
        "    期待する値    あなたの値    差",
        "    1 2           1 9            · +7",
    ]
