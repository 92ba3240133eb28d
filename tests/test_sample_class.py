"""The sample class, graded once by `attn demo`: each file gets the verdict that stands beside it."""

import json
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = sorted(path.parent for path in (ROOT / "tests" / "submissions").glob("*/expected.toml"))


def expectations(folder):
    return tomllib.loads((folder / "expected.toml").read_text(encoding="utf-8"))


def handed_in(folder):
    return {path.stem for path in folder.iterdir() if path.suffix in {".py", ".ipynb"}}


CLASS = [pytest.param(folder, name, id=f"{folder.name}-{name}") for folder in FOLDERS for name in expectations(folder)]


@pytest.fixture(scope="module")
def classes(demo):
    """The reports by folder and student."""
    return {
        folder: {path.parent.name: read(path) for path in (demo.out / "reports").glob(f"*/{folder.name}.json")}
        for folder in FOLDERS
    }


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def report(classes, folder, student):
    return classes[folder][student]


@pytest.fixture
def expected(folder, student):
    return expectations(folder)[student]


def named(report):
    return {mistake["id"] for finding in report["findings"] for mistake in finding.get("mistakes", [])}


def offered(report):
    return {mistake["id"] for finding in report["findings"] for mistake in finding.get("one_of", [])}


def statuses(report, function):
    return [test["status"] for test in report["tests"] if test["function"] == function]


# ---------------------------------------------------------------------------------------------------- each file


@pytest.mark.parametrize(("folder", "student"), CLASS)
def test_a_submission_ends_as_expected(report, expected):
    assert report["status"] == expected["status"]
    problem = report.get("problem") or {}
    assert "problem" not in expected or problem.get("id") == expected["problem"]


@pytest.mark.parametrize(("folder", "student"), CLASS)
def test_a_submission_gets_its_score(report, expected):
    exact = expected.get("score")
    least, most = expected.get("score_at_least", exact), expected.get("score_at_most", exact)
    assert least <= report["score"] <= most
    assert report["max_score"] == 20


@pytest.mark.parametrize(("folder", "student"), CLASS)
def test_its_mistakes_are_named_and_no_others(report, expected):
    found = named(report)
    if expected.get("one_of"):
        found |= offered(report) & set(expected["mistakes"])
    assert found == set(expected["mistakes"])


@pytest.mark.parametrize(("folder", "student"), CLASS)
def test_each_function_shows_what_is_expected(report, expected):
    for function, words in expected.get("tests", {}).items():
        shown = statuses(report, function)
        allowed = [words] if isinstance(words, str) else words
        assert allowed[0] in shown, function
        assert set(shown) <= set(allowed), function


@pytest.mark.parametrize(("folder", "student"), CLASS)
def test_what_was_odd_about_a_file_is_noted(report, expected):
    assert set(expected.get("notes", [])) <= {note["id"] for note in report["notes"]}


@pytest.mark.parametrize(("folder", "student"), CLASS)
def test_a_submission_with_full_marks_has_no_finding_and_others_say_why(report, expected):
    explained = bool(report["findings"] or report.get("problem"))
    attempted = {"failed", "timeout", "crashed", "out-of-memory"} & {test["status"] for test in report["tests"]}
    assert not (report["score"] == 20 and report["findings"])
    assert explained or not attempted


# ------------------------------------------------------------------------------------------------- the whole class


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_report_exists_for_every_file_and_a_bad_one_stops_none(classes, folder):
    assert set(classes[folder]) == handed_in(folder) == set(expectations(folder))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_report_blames_the_grader(classes, folder):
    reports = classes[folder]
    assert not [name for name, report in reports.items() if "error" in {test["status"] for test in report["tests"]}]


def test_the_summary_counts_the_class(demo):
    summary = read(demo.out / "summary.json")
    assert {name: one["submissions"] for name, one in summary["assignments"].items()} == {
        folder.name: len(handed_in(folder)) for folder in FOLDERS
    }
    assert summary["submissions"] == sum(len(handed_in(folder)) for folder in FOLDERS)
    assert summary["statuses"] == Counter(one["status"] for folder in FOLDERS for one in expectations(folder).values())
    assert summary["seconds"] > 0
    assert summary["cpu_seconds"] > 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans to the process that started us")
def test_no_process_stays_behind(demo):
    assert demo.processes_left == "none"


def test_every_expectation_says_what_is_the_matter():
    for folder in FOLDERS:
        for student, one in expectations(folder).items():
            assert one["why"], student
            assert ("score" in one) != ("score_at_least" in one and "score_at_most" in one), student
