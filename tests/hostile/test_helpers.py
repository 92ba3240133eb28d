"""Helpers run beside a submission, which can replace them: what they say alone must be worth nothing."""

from pathlib import Path

import pytest

from autograder.content import load
from autograder.graders import grade, prepare
from autograder.notebooks import read
from autograder.sandbox.host import Host

ROOT = Path(__file__).resolve().parents[2]

FORGED = """
import sys
from types import SimpleNamespace

import torch

helpers = sys.modules["helpers"]


class QKVProjection(torch.nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.d_model, self.d_k, self.d_v = d_model, d_k, d_v


def layer_sizes(module):
    widths = {"W_Q": module.d_k, "W_K": module.d_k, "W_V": module.d_v}
    return SimpleNamespace(**{name: f"{module.d_model} -> {width}, no bias" for name, width in widths.items()})


def two_calls(module, x):
    return SimpleNamespace(are="equal")


def prepare(module, x):
    return None


for function in (layer_sizes, two_calls, prepare):
    setattr(helpers, function.__name__, function)
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    path = tmp_path_factory.mktemp("class") / "mallory.py"
    path.write_text(FORGED, encoding="utf-8")
    kit = prepare(load(ROOT / "solutions" / "02_qkv_projections"))
    with Host() as host:
        return grade(kit, read(path, kit.assignment), host)


def test_made_up_descriptions_of_a_layer_get_no_points(report):
    [described] = [test for test in report.tests if test.name == "the_layer_holds_three_linear_layers_without_bias"]
    assert (described.status, described.points) == ("failed", 0.0)


def test_a_forger_gets_nothing(report):
    assert report.score == 0.0
