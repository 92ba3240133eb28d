"""Any file handed in is a submission or has a problem with a sentence, in bounded time, and raises nothing.

ATTN_FUZZ_EXAMPLES sets how many examples are drawn; tests/benchmarks/fuzz.py draws many.
"""

import json
import time
from pathlib import Path

import pytest
from fuzzing import BOUNDED
from hypothesis import given
from hypothesis import strategies as st

from autograder.messages import say
from autograder.notebooks import read

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "assignments" / "04_masked_softmax" / "masked_softmax.ipynb"
BUILT = TEMPLATE.read_bytes()
LONGEST = 5.0  # seconds on a busy machine

TEXTS = st.text(max_size=12) | st.sampled_from(
    [
        "%%bash\nrm",
        "!ls",
        "%time x = 1",
        "def scale(x, a):\n    return x",
        "# %%",
        "\x1b[2J\u202e",
        "\ud800",
        "(" * 99,
        "\0",
    ]
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
TREES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=12
)
MARKS = st.fixed_dictionaries(
    {},
    optional={
        "grade_id": TREES | st.sampled_from(["causal_mask", "masked_softmax", "check-causal_mask"]),
        "solution": TREES,
        "grade": TREES,
        "locked": TREES,
        "points": TREES,
        "schema_version": TREES,
    },
)
CELLS = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": st.sampled_from(["code", "markdown", "raw", "x"]) | TREES,
        "source": TEXTS | st.lists(TEXTS, max_size=4) | TREES,
        "metadata": st.fixed_dictionaries({}, optional={"nbgrader": MARKS | TREES}) | TREES,
        "outputs": TREES,
        "id": TREES,
    },
)
NOTEBOOKS = st.fixed_dictionaries(
    {},
    optional={
        "cells": st.lists(CELLS | TREES, max_size=5) | TREES,
        "nbformat": st.sampled_from([3, 4, 5]) | TREES,
        "metadata": TREES,
    },
)
BENT = st.lists(st.tuples(st.integers(0, len(BUILT) - 1), st.binary(max_size=3)), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def taken(assignment, tmp_path_factory):
    """Reads a file with such a content, with and without the notebook that was handed out."""
    folder = tmp_path_factory.mktemp("fuzz")

    def take(name, content):
        path = folder / name
        path.write_bytes(content)
        for template in (None, TEMPLATE):
            started = time.monotonic()
            submission = read(path, assignment, template=template)
            assert time.monotonic() - started < LONGEST
            assert submission.problem is None or not submission.cells
            # A cell of another language is dropped with a note, and may have been all that there was.
            assert submission.problem or submission.cells or submission.notes
            notes = [*submission.notes, *([submission.problem] if submission.problem else [])]
            for note in notes:
                assert say(note.id, "en", **note.with_).replace("\n", "").isprintable()
            for cell in submission.cells:
                assert isinstance(cell.source, str)

    return take


def written(tree):
    return json.dumps(tree).encode("ascii")


@BOUNDED
@given(tree=NOTEBOOKS)
def test_any_notebook_is_a_submission_or_has_a_problem(taken, tree):
    taken("any.ipynb", written(tree))


@BOUNDED
@given(tree=TREES)
def test_any_json_is_a_submission_or_has_a_problem(taken, tree):
    taken("any.ipynb", written(tree))


@BOUNDED
@given(content=st.binary(max_size=200), name=st.sampled_from(["any.ipynb", "any.py", "any.txt"]))
def test_any_bytes_are_a_submission_or_have_a_problem(taken, name, content):
    taken(name, content)


@BOUNDED
@given(lines=st.lists(TEXTS, max_size=6), encoding=st.sampled_from(["utf-8", "utf-16", "cp932", "latin-1"]))
def test_any_script_is_a_submission_or_has_a_problem(taken, lines, encoding):
    taken("any.py", "\n".join(lines).encode(encoding, "replace"))


@BOUNDED
@given(bent=BENT)
def test_a_bent_notebook_is_a_submission_or_has_a_problem(taken, bent):
    content = bytearray(BUILT)
    for place, inserted in bent:
        content[place : place + 1] = inserted
    taken("any.ipynb", bytes(content))
