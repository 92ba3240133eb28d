"""The page that people open: the kit's notebook with a learner's cells in their places."""

import json
import time
from pathlib import Path

import pytest

from autograder.course.autograded import Release
from autograder.notebooks.answers import Own, Written

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def release():
    return Release(ROOT / "assignments" / "02_qkv_projections" / "qkv_projections.ipynb")


def sources(page):
    return ["".join(cell["source"]) for cell in json.loads(page)["cells"]]


def test_own_cells_stand_in_their_order_after_the_cell_that_they_followed(release):
    names = [mark.grade_id for mark in release.marks]
    own = (Own("", "top"), Own(names[3], "a"), Own(names[1], "b"), Own(names[3], "c"), Own("invented", "lost"))
    page = release.filled(Written(), {})
    before = sources(page)
    after = sources(release.filled(Written(own=own), {}))
    ids = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in json.loads(page)["cells"]]
    third, first = ids.index(names[3]), ids.index(names[1])
    assert after[:2] == ["top", "lost"]
    assert after[2:] == [*before[: first + 1], "b", *before[first + 1 : third + 1], "a", "c", *before[third + 1 :]]


def test_a_page_of_very_many_own_cells_is_made_in_a_moment(release):
    names = [mark.grade_id for mark in release.marks]
    own = tuple(Own(names[number % len(names)], f"x = {number}") for number in range(20_000))
    started = time.process_time()
    page = release.filled(Written(own=own), {})
    assert time.process_time() - started < 8  # going through all cells for each takes a minute and more
    assert sources(page).count("x = 19999") == 1


def test_a_page_drives_no_terminal(release):
    names = [mark.grade_id for mark in release.marks if mark.solution]
    odd = "x = '\x9b2J \x9d0;a\x9c \u202e \x7f'"
    page = release.filled(Written(answers={names[0]: odd}, own=(Own(names[0], odd),)), {}).decode("utf-8")
    assert all(line.isprintable() for line in page.split("\n"))
    assert sources(page).count(odd) == 2
