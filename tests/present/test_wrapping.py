"""Lines broken where their language breaks them."""

import pytest
from rich.cells import cell_len
from rich.text import Text

from autograder.present.wrapping import wrapped


def lines(text, width):
    return [line.plain for line in wrapped(Text(text), width)]


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("", [""]),
        ("short", ["short"]),
        ("exactly ten", ["exactly", "ten"]),
        ("twelve cells and more", ["twelve", "cells and", "more"]),
        ("incomprehensibilities", ["incomprehe", "nsibilitie", "s"]),
        ("a incomprehensibilities", ["a", "incomprehe", "nsibilitie", "s"]),
        ("行列の行は入力一つ", ["行列の行は", "入力一つ"]),
        ("x は W_V だけを変える", ["x は W_V", "だけを変え", "る"]),
        ("結果が動く。もう一度", ["結果が動", "く。もう一", "度"]),
        ("これらは「重み」", ["これらは", "「重み」"]),
    ],
)
def test_a_line_is_broken_between_words_or_japanese_characters(text, broken):
    assert lines(text, 10) == broken


@pytest.mark.parametrize("width", [2, 3, 7, 20])
def test_nothing_is_lost_and_no_line_is_too_wide(width):
    text = "ヒント: x は同じまま W_V だけを変えて二回呼んでみましょう。What moves?"
    found = lines(text, width)
    assert "".join(found).replace(" ", "") == text.replace(" ", "")
    assert all(cell_len(line) <= width for line in found)


def test_styles_stay():
    text = Text("red ", "red").append("and blue", "blue")
    assert [str(span.style) for line in wrapped(text, 8) for span in line.spans] == ["blue", "blue"]
