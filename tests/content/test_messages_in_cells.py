"""Sentences that take their places in a lesson's cells, and how they fit there."""

import ast
import unicodedata

import pytest

from autograder.content.demonstrations import with_messages

ENGLISH = 'Two curves of the loss over 300 steps, one called "it". ' * 4
JAPANESE = "300 ステップの学習での損失の曲線が二本ある。一本は 0 まで下がる。" * 4


def columns(line):
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


def strings(source):
    return [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]


@pytest.mark.parametrize("text", [ENGLISH, JAPANESE], ids=["english", "japanese"])
@pytest.mark.parametrize("indent", ["", "    "])
def test_a_long_sentence_is_cut_to_lines_that_read_as_one(text, indent):
    block = "if x:\n" if indent else ""
    made = with_messages(f'{block}{indent}picture(figure, message("a"))', {"a": text})
    assert max(map(columns, made.split("\n"))) <= 100
    assert strings(made) == [text]


def test_two_sentences_in_one_call_both_arrive():
    made = with_messages('f(message("a"), 1, b=message("b"))', {"a": ENGLISH, "b": "短い"})
    assert sorted(map(str, strings(made))) == sorted([ENGLISH, "1", "短い"])


def test_a_sentence_without_brackets_around_it_stays_on_its_line():
    assert with_messages('title = message("a")', {"a": ENGLISH}).count("\n") == 0


def test_what_has_room_is_not_cut():
    assert (
        with_messages('print(message("a"), "é", message("a"))', {"a": 'A "b"'}) == r'print("A \"b\"", "é", "A \"b\"")'
    )


def test_a_short_sentence_is_left_in_a_line_that_is_too_long_anyway():
    source = f'f({"1" * 90}, message("a"), message("a"))'
    assert with_messages(source, {"a": "short"}).count("\n") == 0
