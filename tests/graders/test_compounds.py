"""More than a mistake as it is known: in a part of the answer only, or beside an edit that nobody wrote down."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.content import load
from autograder.graders.kit import Kit
from autograder.model import NamedMistake
from autograder.present.words import Words
from autograder.prove import Graded, Prover

FOLDER = Path(__file__).parents[2] / "solutions" / "04_masked_softmax"

SAMPLE_BY_SAMPLE = """

right = masked_attention


def masked_attention(Q, K, V, mask=None):
    if Q.ndim < 3 or len(Q) == 0:
        return right(Q, K, V, mask)
    masks = torch.zeros((), dtype=torch.bool) if mask is None else mask
    masks = masks.expand(*Q.shape[:-1], K.shape[-2])
    unscaled = {which}
    answers = [
        right(Q[i] * Q.shape[-1] ** 0.5 if i in unscaled else Q[i], K[i], V[i], masks[i]) for i in range(len(Q))
    ]
    return tuple(torch.stack(parts) for parts in zip(*answers))
"""
REGIONS = {
    "first-sample": "[0]",
    "but-first-sample": "range(1, len(Q))",
    "last-sample": "[len(Q) - 1]",
    "but-last-sample": "range(len(Q) - 1)",
}
UNSCALED = ("similarities / math.sqrt(Q.shape[-1])", "similarities")
POSITIVE = ("output = weights @ V", "output = (weights @ V).abs()")


@pytest.fixture(scope="module")
def prover() -> Prover:
    return Prover(Kit(load(FOLDER)))


def grade(prover: Prover, *edits: tuple[str, str], added: str = "") -> Graded:
    source = prover.assignment.solution
    for find, replace in edits:
        assert find in source
        source = source.replace(find, replace)
    return prover.grade(source + added, "answer.py")


@pytest.mark.parametrize("region", REGIONS)
def test_a_mistake_in_some_samples_is_named_with_them(prover: Prover, region: str) -> None:
    found = grade(prover, added=SAMPLE_BY_SAMPLE.format(which=REGIONS[region])).found
    assert [finding.mistakes for finding in found] == [(NamedMistake("score-no-scale", {"region": region}),)]


def test_a_mistake_in_every_second_sample_is_in_none_of_the_regions(prover: Prover) -> None:
    """Of three samples or more; unknown beats a wrong name."""
    (finding,) = grade(prover, added=SAMPLE_BY_SAMPLE.format(which="range(1, len(Q) - 1)")).found
    assert finding.mistakes == ()
    assert finding.property is not None


KEYS = "key = torch.arange(n_keys, device=device)"
SHIFTED = "key = torch.arange(n_keys, device=device) - int(n_keys {} n_queries)"


@pytest.mark.parametrize("branch", ["==", "!="])
def test_a_mistake_in_one_branch_is_named_for_some_calls(prover: Prover, branch: str) -> None:
    found = grade(prover, (KEYS, SHIFTED.format(branch))).found
    expected = (NamedMistake("mask-causal-shows-next-key", {"region": "some-calls"}),)
    assert [finding.mistakes for finding in found] == [expected]


def test_a_mistake_where_a_mask_is_given_is_named_with_the_mask(prover: Prover) -> None:
    cut = "return (exponentials / total).detach() if mask is not None else exponentials / total"
    (finding,) = grade(prover, ("return exponentials / total", cut)).found
    assert finding.mistakes == (NamedMistake("autograd-cut", {"region": "given:mask"}),)


def test_a_region_is_told_before_the_mistake(prover: Prover) -> None:
    mistake = NamedMistake("score-no-scale", {"region": "but-first-sample"})
    said = Words(prover.assignment, "en").mistake(mistake)
    assert said == "in samples other than the first, " + Words(prover.assignment, "en").mistake(
        NamedMistake("score-no-scale")
    )


def test_an_edit_nobody_wrote_completes_a_known_mistake(prover: Prover) -> None:
    (finding,) = grade(prover, UNSCALED, POSITIVE).found
    assert [mistake.id for mistake in finding.mistakes] == ["score-no-scale", "edit"]
    assert finding.mistakes[1].with_["new"] == "(weights @ V).abs()"
