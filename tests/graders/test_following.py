"""One mistake costs once; but what a mistake leaves nothing to do for is not paid."""

from functools import cache
from pathlib import Path

import pytest

from autograder.content import load
from autograder.graders.kit import Kit
from autograder.graders.report import findings, report
from autograder.graders.session import run_graders
from autograder.model import Submission
from autograder.targets.inprocess import InProcess

SOLUTIONS = Path(__file__).parents[2] / "solutions"


@cache
def kit_of(name: str) -> Kit:
    return Kit(load(SOLUTIONS / name))


def followed(name: str, answer: str) -> set[str]:
    """The functions of which tests were paid because they follow from a mistake elsewhere."""
    kit = kit_of(name)
    whole = f"{kit.assignment.solution}\n\n{answer}\n"
    runs = run_graders(kit, InProcess.from_source(whole, kit.assignment.helpers, filename="answer.py"))
    submission = Submission("ann", kit.assignment.name, Path("answer.py"), "0" * 64)
    found = findings(kit, runs)
    assert found[0].mistakes
    return {test.function for test in report(kit, submission, runs, diagnosed=found).tests if test.follow_through}


def test_the_same_mistake_made_again_costs_again() -> None:
    """A layer that uses none of the functions does not follow from them."""
    layer = "QKVProjection.forward = lambda self, x: tuple(map(torch.relu, (self.W_Q(x), self.W_K(x), self.W_V(x))))"
    answer = f"def project(x, W):\n    return torch.relu(x @ W)\n\n\n{layer}"
    assert followed("02_qkv_projections", answer) == {"qkv"}


NEXT_TO_NOTHING = {
    "the first factor": (
        "02_qkv_projections",
        "def project(x, W):\n    return x\n\n\ndef qkv(x, W_Q, W_K, W_V):\n    return x, x, x",
    ),
    "the second factor": (
        "02_qkv_projections",
        "def project(x, W):\n    return W\n\n\ndef qkv(x, W_Q, W_K, W_V):\n    return W_Q * (1 + 1e-6), W_K, W_V",
    ),
    "shares that are all the same": (
        "03_scaled_dot_product",
        """def softmax(x, dim=-1):
    return torch.ones_like(x) / x.shape[dim]


def attention(Q, K, V):
    weights = torch.ones(*Q.shape[:-1], K.shape[-2], dtype=Q.dtype) / K.shape[-2]
    return weights @ V, weights
""",
    ),
    "masks that hide nothing": (
        "04_masked_softmax",
        """def masked_softmax(scores, mask=None):
    return torch.softmax(scores, dim=-1)


def self_attention(x, W_Q, W_K, W_V, causal=False, lengths=None):
    return masked_attention(x @ W_Q, x @ W_K, x @ W_V)
""",
    ),
}


@pytest.mark.parametrize(("name", "answer"), NEXT_TO_NOTHING.values(), ids=NEXT_TO_NOTHING)
def test_nothing_follows_from_a_mistake_that_leaves_nothing_to_do(name: str, answer: str) -> None:
    """Where a function need not look at what it is given to be right, its tests say nothing of it."""
    assert followed(name, answer) == set()


def test_what_needs_a_mistaken_mask_is_paid() -> None:
    """It must hand on the mask, mistaken as it is, to give what it gives."""
    answer = (
        "def causal_mask(n_queries, n_keys=None, device=None):\n"
        "    n_keys = n_queries if n_keys is None else n_keys\n"
        "    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).tril(n_keys - n_queries - 1)"
    )
    assert followed("04_masked_softmax", answer) == {"self_attention"}
