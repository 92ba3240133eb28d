"""`attn grade --course`: what is refused before anything is graded, and how a failure is told."""

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.cli.course_run import Recorder
from autograder.model import Note

pytest.importorskip("nbgrader")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "ann.py"
    path.write_text("def causal_mask(n):\n    raise NotImplementedError\n", encoding="utf-8")
    return path


@pytest.fixture
def course(tmp_path):
    (tmp_path / "course").mkdir()
    return tmp_path / "course"


def refused(ran, line):
    assert (ran.code, ran.out, ran.err) == (2, "", f"attn: {line}\n")


def test_a_course_that_is_not_there_is_one_line(attn, file, tmp_path):
    ran = attn("grade", file, "--course", tmp_path / "nowhere")
    refused(ran, f"no folder for the course at {tmp_path / 'nowhere'}; a new course begins in an empty one")


def test_a_fault_in_course_toml_is_one_line(attn, file, course):
    (course / "course.toml").write_text("colour = 1\n", encoding="utf-8")
    ran = attn("grade", file, "--course", course)
    assert (ran.code, ran.err) == (3, "attn: course/course.toml: colour: unknown key\n")


@pytest.mark.usefixtures("shared_host")
def test_without_nbgrader_it_is_said_how_to_get_it(attn, file, course, monkeypatch):
    real = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name, *rest: None if name == "nbgrader" else real(name, *rest)
    )
    refused(
        attn("grade", file, "--course", course), 'nbgrader is not installed; type: pip install "attn-course[course]"'
    )


@pytest.mark.usefixtures("shared_host")
def test_without_a_built_notebook_it_is_said_how_to_build_it(attn, file, course, tmp_path, monkeypatch):
    from autograder.cli.places import Catalogue

    monkeypatch.setattr(Catalogue, "built", lambda self, name, language: tmp_path / f"{name}.{language}.ipynb")
    (course / "course.toml").write_text('language = "ja"\n', encoding="utf-8")
    place = tmp_path / "04_masked_softmax.ja.ipynb"
    refused(
        attn("grade", file, "--course", course, "-a", "04"),
        f"04_masked_softmax has no notebook at {place}; type: attn build",
    )


@pytest.mark.usefixtures("shared_host")
def test_a_gradebook_that_cannot_be_opened_is_one_line(attn, file, course):
    (course / "gradebook.db").write_text("no database", encoding="utf-8")
    ran = attn("grade", file, "--course", course)
    refused(ran, f"cannot open the gradebook of {course}: DatabaseError: file is not a database")


@pytest.mark.usefixtures("shared_host")
def test_what_cannot_be_recorded_is_told_and_is_a_failure_of_ours(attn, file, course, monkeypatch):
    lost = Note("note-not-recorded", {"student": "ann", "assignment": "04_masked_softmax", "text": "disk full"})
    monkeypatch.setattr(Recorder, "begin", lambda self, *_: None)
    monkeypatch.setattr(Recorder, "record", lambda self, report: self.notes.append(lost))
    ran = attn("grade", file, "--course", course)
    assert (ran.code, ran.err) == (3, "ann, 04_masked_softmax: not in the gradebook: disk full\n")


def test_a_run_without_a_course_keeps_no_gradebook(tmp_path):
    with Recorder(None) as recorder:
        recorder.begin([], {}, {"04_masked_softmax": tmp_path / "not built"})
        assert (recorder.language, recorder.notes, recorder.failed) == ("en", [], False)


def test_several_processes_write_one_gradebook(file, course, tmp_path):
    from nbgrader import api

    for name in ("bo", "cy"):
        shutil.copy(file, tmp_path / f"{name}.py")
    students = [tmp_path / f"{name}.py" for name in ("ann", "bo", "cy")]
    command = [sys.executable, "-m", "autograder.cli", "grade", *students, "--course", course, "--jobs", "2"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    with api.Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        assert {student.id: student.score for student in book.students} == {"ann": 0, "bo": 0, "cy": 0}
        assert not any(one.needs_manual_grade for one in book.assignment_submissions("04_masked_softmax"))


@pytest.mark.usefixtures("shared_host")
@pytest.mark.parametrize(("setting", "credited"), [("", True), ("follow_through = false\n", False)])
def test_a_course_may_let_one_mistake_cost_again(attn, small_class, course, tmp_path, setting, credited):
    """bo's causal mask is reversed, and his self_attention is right but for that."""
    (course / "course.toml").write_text(setting, encoding="utf-8")
    attn("grade", small_class / "bo.py", "--course", course, "-a", "04", "--out", tmp_path / "out")
    report = json.loads((tmp_path / "out/reports/bo/04_masked_softmax.json").read_text(encoding="utf-8"))
    followed = {test["status"] for test in report["tests"] if test["follow_through"]}
    assert followed == ({"passed"} if credited else set())
