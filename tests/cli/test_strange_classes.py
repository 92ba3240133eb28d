"""A folder full of what nobody should hand in: each is graded or told of, and no neighbour loses by it."""

import importlib.util
import json
import os
import re
import sys
from pathlib import Path

import pytest

from autograder.course.reports import folder_names

ROOT = Path(__file__).resolve().parents[2]
NAME = "06_complexity"
RIGHT = "def score_count(batch, heads, n_queries, n_keys):\n    return batch * heads * n_queries * n_keys\n"
POINTS = 2.0  # for that function; little else is run, so many can be graded
ODD_NAMES = [
    *("-rf", "--help", "-", "~", "*", "%s{0}", "[red]", "a;b$(e)`f`", "=cmd|' ", "<script>", "torch", "conftest"),
    *("a\nb", "\x1b[31mred\x1b[0m", "\u202egnp", "\u200b", " ", "x" * 200, "\u3042" * 80, "\u00e9", "con", "__init__"),
]
BESIDE = {"note-not-a-submission", "note-folder", "note-hidden", "note-two-files"}

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names"),
    pytest.mark.usefixtures("shared_host"),
]


def reports_in(folder):
    files = (folder / "reports").glob("*/*.json")
    return {report["student"]: report for report in (json.loads(file.read_text(encoding="utf-8")) for file in files)}


def printable(text):
    return all(line.isprintable() for line in text.split("\n"))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "class").mkdir()
    return tmp_path / "class"


@pytest.fixture
def answered():
    """The notebook as handed out, with that function written in it."""
    notebook = json.loads((ROOT / "assignments" / NAME / "complexity.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "score_count":
            cell["source"] = RIGHT
    return json.dumps(notebook)


def put(folder, name, text=RIGHT):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_name_is_only_a_name(attn, folder, tmp_path, monkeypatch):
    """In the folder itself, where a file called torch.py could be taken for PyTorch."""
    for name in ODD_NAMES:
        put(folder, f"{name}.py")
    for name in ("Ann.py", "ann.py", "e\u0301.py"):
        put(folder, name)
    monkeypatch.chdir(folder)
    monkeypatch.setattr("autograder.cli.places.find_solutions", lambda: ROOT / "solutions")
    ran = attn("grade", ".", "-a", "06", "--out", tmp_path / "out")
    reports = reports_in(tmp_path / "out")
    assert ran.code == 0, ran.err
    assert set(reports) >= {*ODD_NAMES, "Ann"}
    assert {report["score"] for report in reports.values()} == {POINTS}
    assert len(reports) == len(list(folder.iterdir()))
    assert printable(ran.out), ran.out
    assert ran.err == ""
    assert {file.name for file in (tmp_path / "out").iterdir()} == {"reports", "summary.json"}


def test_what_is_no_file_is_told_of_and_its_neighbours_are_graded(attn, folder, tmp_path):
    put(folder, "ann.py")
    (folder / "link.py").symlink_to("ann.py")
    (folder / "round.py").symlink_to("round.py")
    (folder / "out.ipynb").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe.py")
    (folder / "folder.ipynb").mkdir()
    for name in (".dot.py", "work.zip", "ann.py~", "link.txt"):
        put(folder, name)
    put(folder, "._ann.py", "what macOS leaves behind")
    ran = attn("grade", folder, "-a", "06", "--out", tmp_path / "out")
    statuses = {student: report["status"] for student, report in reports_in(tmp_path / "out").items()}
    assert statuses == {"ann": "graded", "link": "unreadable", "round": "unreadable", "out": "unreadable"}
    told = {Path(line.rpartition(": ")[0]).name for line in ran.err.splitlines()}
    assert told == {"pipe.py", "folder.ipynb", ".dot.py", "work.zip", "ann.py~", "link.txt"}
    notes = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))["notes"]
    assert {note["id"] for note in notes} <= BESIDE
    assert ran.code == 0


def test_a_folder_handed_in_costs_nobody_a_report(attn, folder, tmp_path):
    """Folders that look like a course's, files under others' names, and a name that is another's folder for reports."""
    for name in ("ann.py", "Bo Li.py", "04_masked_softmax.py"):
        put(folder, name)
    put(folder, f"mallory/{NAME}/x.py")
    put(folder, f"{NAME}/ann.py", "no_answer = 1\n")
    put(folder, f"{folder_names(['Bo Li'])['Bo Li']}.py", "no_answer = 1\n")
    put(folder, os.fsdecode(b"\xff.txt"))
    ran = attn("grade", folder, "-a", "06", "--out", tmp_path / "out")
    scores = {student: report["score"] for student, report in reports_in(tmp_path / "out").items()}
    assert len([score for score in scores.values() if score == POINTS]) == 4
    assert {*scores} == {"ann", "Bo Li", "04_masked_softmax", "mallory", *folder_names(["Bo Li"]).values()}
    notes = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))["notes"]
    assert {note["id"] for note in notes} == {"note-mixed", "note-twice", "note-not-a-submission"}
    assert len(ran.err.splitlines()) == len(notes)
    assert ran.code == 0


def test_no_name_looks_like_a_row_of_the_table(attn, folder):
    """Neither by blanks of any kind nor by what moves the cursor."""
    blanks = [*"\u2800\u3164\u115f\u1160\uffa0\u3000\u2003\u00a0", "\x9b5C"]
    put(folder, "ann.py")
    for blank in blanks:
        put(folder, f"zoe{blank * 30}20 \u2044 20{blank * 20}everything passes.py", "no_answer = 1\n")
    ran = attn("grade", folder, "-a", "06")
    rows = [line for line in ran.out.splitlines() if "zoe" in line]
    assert len(rows) == len(blanks)
    assert all(re.search(r"zoe(\?| ?2)", row) for row in rows), rows


def test_one_that_belongs_nowhere_does_not_stop_a_mixed_class(attn, folder):
    put(folder, "ann.py")
    put(folder, "bo.py", "def causal_mask(n):\n    raise NotImplementedError\n")
    put(folder, "cy.ipynb", '{"cells": [')
    ran = attn("grade", folder, "--json")
    assert [report["student"] for report in json.loads(ran.out)] == ["bo", "ann"]
    assert ran.err == f"{folder / 'cy.ipynb'}: no telling which assignment it belongs to, so not graded\n"


@pytest.mark.parametrize("command", ["check", "grade"])
@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("half.ipynb", '{"cells": [', "the notebook is not complete JSON, so nothing in it can be read"),
        ("none.py", "", "the file holds no code"),
        ("broken.py", "def f(:\n", "line 1 is not valid Python: def f(:"),
        ("old.ipynb", '{"worksheets": []}', "the notebook has format 3; only format 4 can be read"),
    ],
)
def test_a_file_without_code_is_told_to_be_that_and_not_asked_where_it_belongs(attn, folder, command, name, text, said):
    ran = attn(command, put(folder, name, text))
    assert (ran.code, ran.out, ran.err) == (2, "", f"attn: {folder / name}: {said}\n")


def test_why_a_file_holds_no_code_is_said_in_japanese_too(attn, folder):
    ran = attn("check", put(folder, "none.py", ""), "--lang", "ja")
    assert ran.err == f"attn: {folder / 'none.py'}: コードが一行も入っていません\n"


@pytest.mark.parametrize("command", ["check", "grade"])
@pytest.mark.parametrize("kind", ["round", "outside", "dangling"])
def test_a_link_is_told_to_be_one_wherever_it_leads(attn, folder, command, kind):
    leads = {"round": "ann.py", "outside": "/etc/passwd", "dangling": "nowhere"}[kind]
    (folder / "ann.py").symlink_to(leads)
    ran = attn(command, folder / "ann.py")
    assert (ran.code, ran.err) == (2, f"attn: {folder / 'ann.py'}: the file is a link; hand in the file itself\n")


@pytest.mark.parametrize("command", ["check", "grade"])
@pytest.mark.parametrize("name", ["work.zip", "work.tar.gz", "work", ".ipynb"])
def test_an_archive_is_not_unpacked(attn, folder, command, name):
    ran = attn(command, put(folder, name, "PK\x03\x04"))
    expected = f"attn: {folder / name} is neither a notebook (.ipynb) nor a Python file (.py)\n"
    assert (ran.code, ran.out, ran.err) == (2, "", expected)


@pytest.mark.parametrize("command", ["check", "grade"])
@pytest.mark.parametrize("name", ["x" * 300 + ".py", "x" * 5000, "a\nb.py", "\x1b[31m\u202ered.py"])
def test_a_name_that_is_no_files_is_one_line(attn, command, name):
    ran = attn(command, name)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("attn: no such file or folder: ")
    assert ran.err[:-1].isprintable()
    assert len(ran.err) < 2500


@pytest.mark.skipif(importlib.util.find_spec("nbgrader") is None, reason="nbgrader is not installed")
def test_a_course_with_strange_students_gets_every_grade(attn, answered, tmp_path):
    """In nbgrader's tree: odd names, files of no kind, links where folders should be, times that are none."""
    from nbgrader import api

    course, handed_in = tmp_path / "course", tmp_path / "course" / "submitted"
    for student in ODD_NAMES[1::2]:
        put(handed_in / student / NAME, "complexity.ipynb", answered)
    for student, text in {"half": '{"cells": [', "deep": "[" * 100_000, "empty": ""}.items():
        put(handed_in / student / NAME, "complexity.ipynb", text)
    (handed_in / "nothing" / NAME).mkdir(parents=True)
    put(handed_in / "zip" / NAME, "complexity.zip", "PK")
    (handed_in / "late" / NAME).mkdir(parents=True)
    os.mkfifo(handed_in / "late" / NAME / "timestamp.txt")
    os.mkfifo(handed_in / "late" / NAME / "complexity.ipynb")
    (handed_in / "linked").symlink_to(handed_in / "torch")
    (handed_in / "inside").mkdir()
    (handed_in / "inside" / NAME).symlink_to(handed_in / "torch" / NAME)
    put(handed_in / ".dot" / NAME, "complexity.ipynb", answered)
    ran = attn("grade", handed_in, "--course", course, "--out", tmp_path / "out")
    assert ran.code == 0, ran.err
    assert printable(ran.out + ran.err)
    for told in (handed_in / "linked", handed_in / "inside" / NAME, handed_in / ".dot"):
        assert f"{told}: " in ran.err
    others = {"half", "deep", "empty", "nothing", "zip", "late"}
    scores = {student: report["score"] for student, report in reports_in(tmp_path / "out").items()}
    assert scores == dict.fromkeys(ODD_NAMES[1::2], POINTS) | dict.fromkeys(others, 0.0)
    with api.Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        assert sorted(student.score for student in book.students) == sorted(scores.values())
