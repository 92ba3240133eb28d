"""A class graded in turn or by several processes: what each report says of the sandbox, whatever becomes of it."""

import json
import os

import pytest

from autograder.course import batch
from autograder.course.batch import Settings, grade_class
from autograder.course.submitted import HandIn
from autograder.model import Note
from autograder.sandbox.host import Host
from autograder.sandbox.verifying import Walls

RIGHT = "def scale(x, a):\n    return x * a\n"
TESTS = """import pytest


@pytest.mark.points("scale", 10)
def test_numbers_are_scaled(agree, make):
    agree.scale(make.tensor(5), make.tensor(1))
"""
FILES = {
    "assignment.toml": "version = 1\nminutes = 5\n[functions.scale]\npoints = 20\n",
    "mistakes.toml": "",
    "solution.py": RIGHT,
    "test_visible.py": TESTS,
    "test_hidden.py": TESTS.replace("numbers_are", "others_are"),
}
TEXT = """title = "Numbers"
[functions]
scale = "x times a"
[tests]
numbers_are_scaled = "numbers are scaled"
others_are_scaled = "others are scaled"
"""


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    from autograder.content import load

    folder = tmp_path_factory.mktemp("course") / "solutions" / "90_numbers"
    folder.mkdir(parents=True)
    for name, content in {**FILES, "text.en.toml": TEXT, "text.ja.toml": TEXT}.items():
        (folder / name).write_text(content, encoding="utf-8")
    return load(folder)


@pytest.fixture
def hand_ins(tmp_path):
    """One that is right, one that is no Python file, and one that was not there."""
    (tmp_path / "ann.py").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "bo.py").write_bytes(b"\xff\xfe\x00")
    there = [HandIn(name, tmp_path / f"{name}.py", "90_numbers") for name in ("ann", "bo")]
    missing = Note("no-notebook", {"path": "cy"})
    return [*there, HandIn("cy", tmp_path / "cy.py", "90_numbers", problem=missing)]


def graded(hand_ins, assignment, host, **settings):
    done = grade_class(hand_ins, {assignment.name: assignment}, host, Settings(**settings))
    return {report.student: report for report in done.reports}


@pytest.mark.parametrize("jobs", [1, 2])
def test_level_and_layers_stand_in_every_report(hand_ins, assignment, tmp_path, jobs):
    host = Host()
    reports = graded(hand_ins, assignment, host, jobs=jobs, out=tmp_path / "out")
    assert [report.status for report in reports.values()] == ["graded", "unreadable", "unreadable"]
    assert {name: report.sandbox["ran"] for name, report in reports.items()} == {"ann": True, "bo": False, "cy": False}
    for report in reports.values():
        assert (report.sandbox["level"], report.sandbox["layers"]) == (host.level, host.walls.layers)
        written = json.loads((tmp_path / "out" / "reports" / report.student / "90_numbers.json").read_bytes())
        assert written["sandbox"] == report.sandbox


def test_that_too_much_was_printed_is_noted_and_costs_nothing(hand_ins, assignment):
    hand_ins[0].path.write_text(f"print('x' * 10**6)\n{RIGHT}", encoding="utf-8")
    report = graded(hand_ins[:1], assignment, Host())["ann"]
    assert (report.score, [note.id for note in report.notes]) == (20, ["note-printed"])


def test_they_stand_where_the_grading_process_ended(hand_ins, assignment, monkeypatch):
    here, grade = os.getpid(), batch.grade

    def killed(kit, submission, *args, **kwargs):
        if submission.student == "ann" and os.getpid() != here:
            os._exit(9)
        return grade(kit, submission, *args, **kwargs)

    monkeypatch.setattr(batch, "grade", killed)
    host = Host()
    lost = graded(hand_ins, assignment, host, jobs=2)["ann"]
    assert (lost.status, lost.problem.with_["text"]) == ("error", "the grading process ended")
    assert lost.sandbox == {"level": host.level, "layers": host.walls.layers, "ran": True}


def test_a_lost_submission_whose_report_cannot_be_written_stops_nobody(hand_ins, assignment, tmp_path, monkeypatch):
    here, grade, write_report = os.getpid(), batch.grade, batch.write_report

    def killed(kit, submission, *args, **kwargs):
        if submission.student == "ann" and os.getpid() != here:
            os._exit(9)
        return grade(kit, submission, *args, **kwargs)

    def refused(path, report):
        if report.student == "ann":
            raise OSError(36, "File name too long")
        write_report(path, report)

    monkeypatch.setattr(batch, "grade", killed)
    monkeypatch.setattr(batch, "write_report", refused)
    reports = graded(hand_ins, assignment, Host(), jobs=2, out=tmp_path / "out")
    assert [report.status for report in reports.values()] == ["error", "unreadable", "unreadable"]
    assert "File name too long" in reports["ann"].problem.with_["text"]
    assert {file.name for file in (tmp_path / "out" / "reports").iterdir()} == {"bo", "cy"}


def test_they_stand_where_grading_failed(hand_ins, assignment, monkeypatch):
    def fails(*args, **kwargs):
        raise ZeroDivisionError

    monkeypatch.setattr(batch, "grade", fails)
    failed = graded(hand_ins, assignment, Host())
    assert {report.status for report in failed.values()} == {"error"}
    assert all(report.sandbox["level"] for report in failed.values())


@pytest.mark.parametrize("layer", ["landlock", "seccomp"])
def test_nothing_runs_in_a_child_whose_walls_are_less_than_was_tried(hand_ins, assignment, layer, tmp_path):
    mark = tmp_path / "ran"
    hand_ins[0].path.write_text(f"open({str(mark)!r}, 'w')\n{RIGHT}", encoding="utf-8")
    host = Host(without=["user"])
    host.walls = Walls({**host.walls.layers, layer: "on"}, without=("user", layer))  # the child leaves it out
    report = graded(hand_ins[:1], assignment, host)["ann"]
    assert (report.status, report.score, report.tests) == ("error", 0, ())
    assert f"{layer}: off: left out on request" in report.problem.with_["text"]
    assert report.sandbox["layers"][layer].startswith("off: ")
    assert report.sandbox["level"] == ("contained" if layer == "landlock" else "limits-only")
    assert report.sandbox["ran"] is False
    assert not mark.exists()


def test_a_child_that_is_weaker_than_those_before_it_gets_no_further_test(hand_ins, assignment, monkeypatch):
    hand_ins[0].path.write_text("import os\n\ndef scale(x, a):\n    os._exit(3)\n", encoding="utf-8")
    host = Host(without=["user"])
    walls, made = host.walls, []

    def child(limits=None, spent=0.0):
        made.append(1)
        if len(made) > 1:
            host.walls = Walls(walls.layers, without=("user", "landlock"))
        return Host.child(host, limits, spent)

    monkeypatch.setattr(host, "child", child)
    report = graded(hand_ins[:1], assignment, host)["ann"]
    assert [test.status for test in report.tests] == ["crashed", "error"]
    assert "landlock" in report.tests[1].message.with_["text"]
    assert (len(made), report.score) == (2, 0)
