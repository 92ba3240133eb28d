"""What is kept of a learner's progress: written whole, forgiving of damage, never in the way."""

from pathlib import Path

import pytest

from autograder.learn.state import FILE, State, read_state, remember, write_state
from autograder.model import Finding, NamedMistake, Report, TestResult


def report(**statuses):
    tests = tuple(TestResult(f"{name}_works", name, status, 0, 1, visible=True) for name, status in statuses.items())
    return Report(1, "", "04_masked_softmax", 1, "graded", 0, 20, tests, (), (), {}, {})


FOUND = Finding(("causal_mask",), (), mistakes=(NamedMistake("mask-causal-reversed-triangle"),))


def test_what_a_check_has_shown_is_kept(tmp_path):
    remember(tmp_path, report(causal_mask="failed", padding_mask="skipped", masked_softmax="passed"), FOUND)
    state = read_state(tmp_path)
    assert state.functions["04_masked_softmax"] == {
        "causal_mask": "failed",
        "padding_mask": "unwritten",
        "masked_softmax": "passed",
    }
    assert state.last.finding == FOUND
    assert [file.name for file in (tmp_path / ".attn").iterdir()] == ["state.json"]


def test_a_check_of_one_function_leaves_the_others_as_they_were(tmp_path):
    remember(tmp_path, report(causal_mask="failed", padding_mask="failed"), FOUND)
    remember(tmp_path, report(padding_mask="passed"), None)
    state = read_state(tmp_path)
    assert state.functions["04_masked_softmax"] == {"causal_mask": "failed", "padding_mask": "passed"}
    assert state.last.finding == FOUND


def test_a_finding_is_forgotten_once_its_function_passes(tmp_path):
    remember(tmp_path, report(causal_mask="failed"), FOUND)
    remember(tmp_path, report(causal_mask="passed"), None)
    assert read_state(tmp_path).last is None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"functions": 3}', b"\xff", b"[" * 100_000, b" " * (2 << 20)])
def test_a_damaged_file_counts_as_none_and_is_replaced(tmp_path, content):
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_bytes(content)
    assert read_state(tmp_path) == State()
    remember(tmp_path, report(causal_mask="passed"), None)
    assert read_state(tmp_path).functions == {"04_masked_softmax": {"causal_mask": "passed"}}


def test_a_folder_that_cannot_be_written_to_stops_nobody(tmp_path):
    Path(tmp_path, ".attn").write_text("a file in its place", encoding="utf-8")
    write_state(tmp_path, State())
    assert read_state(tmp_path) == State()
