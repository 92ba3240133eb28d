"""A grader that claims how much memory is enough: the kernel decides, and where it cannot, nobody loses a point."""

import pytest

from autograder.content import load
from autograder.graders import grade, prepare
from autograder.graders.session import run_graders
from autograder.messages import say
from autograder.notebooks import read
from autograder.sandbox.host import Host
from autograder.targets.inprocess import InProcess

CHUNKED = """import torch


def attend(Q, K, V):
    parts = [torch.softmax(rows @ K.T, -1) @ V for rows in Q.split(256)]  # (256, n) scores at a time
    return torch.cat(parts)
"""
PLAIN = CHUNKED.replace("for rows in Q.split(256)", "for rows in [Q]")
KEPT = """import torch

def attend(Q, K, V):
    scores = [torch.softmax(rows @ K.T, -1) for rows in Q.split(256)]
    return torch.cat([part @ V for part in scores])
"""
IN_NUMPY = """import numpy as np, torch

def attend(Q, K, V):
    scores = Q.numpy() @ K.numpy().T
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return torch.from_numpy(weights / weights.sum(-1, keepdims=True) @ V.numpy())
"""
# What the child is told by its own code proves nothing: the limit holds before the first line runs.
RAISED = (
    "import resource\ntry:\n    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))\nexcept Exception:\n    pass\n" + PLAIN
)
WRONG = CHUNKED.replace("@ V", "@ V * 2")

TESTS = """import pytest


@pytest.mark.points("attend", 8)
def test_a_few_are_attended(agree, make):
    agree.attend(make.tensor(5, 3), make.tensor(7, 3), make.tensor(7, 2))
"""
HIDDEN = """import pytest


@pytest.mark.points("attend", 9)
@pytest.mark.memory(96)
def test_many_take_little_memory(agree, make):
    n = 8192  # all scores at once take 256 MiB
    agree.attend(make.tensor(n, 3), make.tensor(n, 3), make.tensor(n, 2))


@pytest.mark.points("attend", 3)
def test_others_are_attended(agree, make):
    agree.attend(make.tensor(2, 3), make.tensor(4, 3), make.tensor(4, 5))
"""
FILES = {
    "assignment.toml": "version = 1\nminutes = 5\n[functions.attend]\npoints = 20\n",
    "mistakes.toml": "",
    "solution.py": CHUNKED,
    "test_visible.py": TESTS,
    "test_hidden.py": HIDDEN,
}
TEXT = """title = "Little memory"
[functions]
attend = "attention"
[tests]
a_few_are_attended = "a few are attended"
many_take_little_memory = "many take little memory"
others_are_attended = "others are attended"
"""


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course") / "solutions" / "90_little_memory"
    folder.mkdir(parents=True)
    for name, content in {**FILES, "text.en.toml": TEXT, "text.ja.toml": TEXT}.items():
        (folder / name).write_text(content, encoding="utf-8")
    return prepare(load(folder))


def graded(kit, host, tmp_path, source):
    path = tmp_path / "answer.py"
    path.write_text(source, encoding="utf-8")
    report = grade(kit, read(path, kit.assignment), host)
    return report, [test.status for test in report.tests]


def test_what_keeps_within_the_memory_passes(kit, host, tmp_path):
    report, statuses = graded(kit, host, tmp_path, CHUNKED)
    assert (report.score, statuses) == (20, ["passed"] * 3), report.tests


@pytest.mark.parametrize("source", [PLAIN, KEPT, IN_NUMPY, RAISED], ids=["plain", "kept", "in numpy", "limit raised"])
def test_what_holds_all_scores_at_once_does_not_and_the_next_test_runs(kit, host, tmp_path, source):
    report, statuses = graded(kit, host, tmp_path, source)
    assert (report.score, statuses) == (11, ["passed", "out-of-memory", "passed"])
    message = report.tests[1].message
    said = say(message.id, "en", **message.with_)
    assert said == "takes more memory than this task needs\nlimit    96 MiB beyond PyTorch itself"


def test_the_child_of_the_claim_counts_as_the_submissions(kit, host, tmp_path):
    before = kit.timings["submissions"]
    graded(kit, host, tmp_path, CHUNKED)
    assert kit.timings["submissions"] > before + 0.1  # 8192 rows in pieces take about half a second


@pytest.fixture(scope="module")
def unbounded():
    with Host(without=["rlimits"]) as host:
        yield host


@pytest.mark.parametrize("source", [CHUNKED, PLAIN], ids=["chunked", "plain"])
def test_where_no_kernel_keeps_the_limit_the_claim_is_unchecked_and_costs_nothing(kit, unbounded, tmp_path, source):
    report, statuses = graded(kit, unbounded, tmp_path, source)
    assert (report.score, statuses) == (20, ["passed", "unchecked", "passed"])
    message = report.tests[1].message
    assert say(message.id, "en", **message.with_) == "this machine cannot check how much memory it takes"


def test_what_is_wrong_is_wrong_there_too(kit, unbounded, tmp_path):
    report, statuses = graded(kit, unbounded, tmp_path, WRONG)
    assert (report.score, statuses) == (0, ["failed"] * 3)


def test_in_a_learners_own_process_it_is_unchecked(kit):
    ran = run_graders(kit, InProcess.from_source(PLAIN, filename="answer.py"))
    assert [one.status for one in ran] == ["passed", "unchecked", "passed"]
