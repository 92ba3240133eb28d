"""Lessons and their cells: what is read, and every fault as one line that names file and line."""

import pytest

from autograder.content import lessons, load
from autograder.model import ContentError

LESSON = """\
# Twice

Some words,
and some more.

{solution: double}
{check: double}

{cell: picture}

{solution: Scaler}
{check: Scaler}
{solution: halve}

{check: halve}
{write: why}
"""
CELLS = """\
\"\"\"What is shown.\"\"\"

import math

from torch import nn

# %% picture
print(message("seen"), double(2))
"""


@pytest.fixture
def taught(folder):
    folder.write("lesson.en.md", LESSON)
    folder.write("lesson.ja.md", LESSON.replace("Some words", "ことば"))
    folder.write("cells.py", CELLS)
    return folder


def test_a_lesson_is_prose_and_slots_with_their_lines(taught):
    pieces = lessons(taught.path).pieces["en"]
    assert [(piece.kind, piece.line) for piece in pieces[:4]] == [
        ("prose", 1),
        ("solution", 6),
        ("check", 7),
        ("cell", 9),
    ]
    assert pieces[0].text == "# Twice\n\nSome words,\nand some more."
    assert [piece.text for piece in pieces if piece.kind == "solution"] == ["double", "Scaler", "halve"]


def test_cells_share_the_imports_above_them(taught):
    found = lessons(taught.path).demonstrations
    assert found.imports == ("import math", "from torch import nn")
    assert [(cell.name, cell.source, cell.line) for cell in found.cells] == [
        ("picture", 'print(message("seen"), double(2))', 7)
    ]


def test_a_folder_may_have_no_lesson_until_one_is_built(folder):
    assert not folder.faults()
    with pytest.raises(ContentError) as caught:
        lessons(folder.path)
    assert caught.value.faults == ("04_small/lesson.en.md: is missing", "04_small/lesson.ja.md: is missing")


def test_a_slot_in_a_code_block_is_prose(taught):
    for language in ("en", "ja"):
        taught.swap(f"lesson.{language}.md", "# Twice\n", "# Twice\n```\n{check: nothing}\n{x}\n```\n")
    assert not taught.faults()


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "{cell: picture}",
            "{cel: picture}",
            "line 9: unknown slot kind 'cel'; there is: solution, cell, check, ask, write",
        ),
        ("{cell: picture}", "{cell picture}", "line 9: {cell picture} is no slot such as {check: name}"),
        ("{cell: picture}", "{cell: pictures}", "line 9: {cell: pictures}: unknown cell of cells.py 'pictures'"),
        ("{check: halve}", "{check: half}", "line 15: {check: half}: unknown function 'half'"),
        ("{write: why}", "{ask: why}", "line 16: {ask: why}: unknown question 'why'"),
        ("{write: why}", "{check: double}", "line 16: {check: double} is already on line 7"),
        ("{check: halve}", "", "{check: halve} is missing"),
        ("{solution: Scaler}", "", "{solution: Scaler} is missing"),
        (
            "{solution: double}\n{check: double}",
            "{check: double}\n{solution: double}",
            "line 6: {check: double} stands before {solution: double}",
        ),
        ("Some words,", "%%time", "line 3: begins with %%, which begins a cell in a script"),
    ],
)
def test_a_fault_of_a_lesson_is_one_line(taught, old, new, fault):
    taught.swap("lesson.en.md", old, new)
    assert f"lesson.en.md: {fault}" in taught.faults()


def test_every_language_has_the_same_slots(taught):
    taught.swap("lesson.ja.md", "{write: why}", "{write: how}")
    assert taught.faults() == ["lesson.ja.md: line 16: {write: how}, where lesson.en.md has {write: why} on line 16"]
    taught.swap("lesson.ja.md", "{write: how}\n", "")
    there = "lesson.en.md has {write: why} on line 16"
    assert taught.faults() == [f"lesson.ja.md: ends without a further slot, where {there}"]
    taught.swap("lesson.en.md", "{write: why}\n", "")
    taught.swap("lesson.ja.md", "{check: halve}\n", "{check: halve}\n{write: why}\n")
    assert taught.faults() == ["lesson.ja.md: line 16: {write: why}, where lesson.en.md has no further slot"]


def test_a_lesson_in_one_language_wants_the_other(taught):
    taught.remove("lesson.ja.md")
    assert taught.faults() == ["lesson.ja.md: is missing"]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("# %% picture", "# %%", "line 7: begins with '# %% name', not with '# %%'"),
        ("print(", "print((", "line 8: is not Python: '(' was never closed"),
        ("import math", "math = 2", "line 3: stands in no cell; each begins with '# %% name'"),
        ('message("seen")', 'message("heard")', "line 8: text.en.toml has no message 'heard'"),
        ("# %% picture", "# %% other\nx = 1\n\n# %% picture", "line 7: no lesson has {cell: other}"),
        ("double(2))\n", "double(2))\n# %% picture\nx = 1\n", "line 9: cell 'picture' is already on line 7"),
        ("# %% picture", "# %% empty\n\n# %% picture", "line 7: cell 'empty' is empty"),
        (
            "print(",
            "if math:\n    x = 1\n# %% picture_2\n    x = 2\nprint(",
            "line 11: the cell is not Python by itself: unexpected indent",
        ),
    ],
)
def test_a_fault_of_the_cells_is_one_line(taught, old, new, fault):
    taught.swap("cells.py", old, new)
    assert f"cells.py: {fault}" in taught.faults()


def test_a_good_lesson_loads(taught):
    assert load(taught.path).name == "04_small"
