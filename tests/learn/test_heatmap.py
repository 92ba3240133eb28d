"""Tables of numbers as learners see them: real text in any script, readable on dark and light pages."""

import re

import pytest
import torch

from autograder.learn.heatmap import heatmap

TOKENS = ["猫", "が"]


def strengths(shown):
    """How strongly each cell is coloured, in order; None for one that is not."""
    cells = re.findall(r"<td[^>]*background: (?:rgba\((\d+), \d+, \d+, ([\d.]+)\)|none)", shown._repr_html_())
    return [float(strength) if strength else None for _, strength in cells]


def test_a_tensor_an_array_and_a_list_look_alike():
    weights = torch.tensor([[0.25, 0.75], [1.0, 0.0]], requires_grad=True)
    shown = heatmap(weights, TOKENS, TOKENS)
    assert shown == heatmap(weights.detach().numpy(), TOKENS, TOKENS) == heatmap(weights.tolist(), TOKENS, TOKENS)


def test_labels_of_any_script_are_text():
    page = heatmap([[1, 2], [3, 4]], TOKENS, ["a", "<b>"], title="A & B")._repr_html_()
    assert '<th scope="row"' in page
    assert ">猫</th>" in page
    assert ">&lt;b&gt;</th>" in page
    assert ">A &amp; B</caption>" in page


def test_the_larger_a_number_the_stronger_its_colour():
    weakest, middle, strongest, least = strengths(heatmap([[0.1, 0.2], [-0.4, 0.0]], TOKENS, TOKENS))
    assert least == 0 < weakest < middle < strongest < 0.6  # text must stay readable on it


def test_negative_numbers_have_a_colour_of_their_own():
    colours = re.findall(r"rgba\((\d+, \d+, \d+), 0\.55", heatmap([[1.0], [-1.0]], TOKENS, ["x"])._repr_html_())
    assert len(set(colours)) == 2


def test_what_is_not_finite_is_shown_without_colour():
    shown = heatmap([[float("nan"), float("inf")], [1.0, -1.0]], TOKENS, TOKENS)
    assert strengths(shown)[:2] == [None, None]
    assert ">nan<" in shown._repr_html_()
    assert ">inf<" in shown._repr_html_()


def test_exactly_nothing_is_told_from_almost_nothing():
    page = heatmap([[0.0, 0.001]], ["q"], TOKENS)._repr_html_()
    assert ">0</td>" in page
    assert ">0.00</td>" in page


def test_a_very_large_number_is_no_long_row_of_digits():
    shown = repr(heatmap([[-65504.0, -1e9, -3.4e38]], ["lowest"], ["a", "b", "c"]))
    assert shown.splitlines()[-1].split() == ["lowest", "-65504.00", "-1e+09", "-3.4e+38"]


def test_plain_text_stands_in_columns_whatever_the_script():
    shown = heatmap([[True, False], [False, True]], ["猫", "cat"], TOKENS, row_name="q", column_name="k", title="Mask")
    assert repr(shown).splitlines() == [
        "Mask",
        "q ↓ / k →  猫     が",
        "猫         True   False",
        "cat        False  True",
    ]


@pytest.mark.parametrize("rows", [TOKENS, ["猫", "が", "寝る", "。"]])
def test_labels_that_do_not_fit_are_told(rows):
    with pytest.raises(ValueError, match=f"{len(rows)} names for rows and 2 for columns do not fit 3 rows of"):
        heatmap(torch.zeros(3, 2), rows, TOKENS)
