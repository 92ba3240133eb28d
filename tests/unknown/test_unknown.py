"""Wrong code that no entry explains: it loses points and is told what broke, and no mistake is pinned on it.

Where one of several causes is known, a file's first line says so: `# named: id`.
"""

from functools import cache
from pathlib import Path

import pytest

from autograder.content import load
from autograder.graders.kit import Kit
from autograder.prove import Graded, Prover

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*_*/*.py"))


@cache
def graded(path: Path) -> Graded:
    prover = Prover(Kit(load(HERE.parents[1] / "solutions" / path.parent.name)))
    return prover.grade(path.read_text(encoding="utf-8"), path.name)


def test_there_are_some_of_each_assignment():
    assert {path.parent.name for path in FILES} >= {
        "01_soft_lookup",
        "02_qkv_projections",
        "03_scaled_dot_product",
        "04_masked_softmax",
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_unknown_mistakes_cost_points(path):
    assert graded(path).lost


def known_in(path: Path) -> set[str]:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    return set(first.removeprefix("# named: ").split(", ")) if first.startswith("# named: ") else set()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_unknown_mistakes_get_no_name(path):
    assert graded(path).named == known_in(path)
    one_of = {mistake.id for finding in graded(path).found for mistake in finding.one_of}
    assert not one_of - known_in(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_told_of_an_unknown_mistake_is_a_test_that_fails(path):
    properties = [finding.property for finding in graded(path).found if not finding.mistakes]
    assert properties
    assert all(shown is not None and shown.with_["test"] in graded(path).lost for shown in properties)
