"""From an authored folder to nbgrader's CSV and feedback pages, by the commands that people type."""

import ast
import csv
import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

pytest.importorskip("nbgrader")

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = "<script>alert(1)</script>"
LINKS = r"https://evil.example $\href{https://evil.example}{\Huge 20}$ &#36;&#92;href{https://evil.example}{20}&#36;"
LONG_ENOUGH = 25  # characters of a line that cannot stand anywhere by chance


def run(*command, cwd):
    """With a PATH that lacks this environment's programs, as where nobody has activated it."""
    environment = os.environ | {"PATH": os.defpath, "PYTHONPATH": str(ROOT), "ATTN_LANG": "en", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *map(str, command)],
        cwd=cwd,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def place(tmp_path_factory, lesson):
    """A copy of the authored folder, and what is built of it."""
    folder = tmp_path_factory.mktemp("walk")
    shutil.copytree(lesson.solution, folder / "solutions" / lesson.name)
    run("autograder.cli", "build", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def class_(place, lesson, reference):
    """Six students: right under another name, wrong, hostile, half a file, nothing at all, and right in Japanese."""

    def hand_in(student, name, answers, language="en", end=None):
        suffix = "" if language == "en" else f".{language}"
        release = place / "assignments" / lesson.name / f"masked_softmax{suffix}.ipynb"
        notebook = json.loads(release.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            if lesson.id_of(cell) in answers:
                cell["source"] = answers[lesson.id_of(cell)]
        text = json.dumps(notebook, ensure_ascii=False)[:end]
        path = lesson.put(place / "course" / "submitted" / student / lesson.name / name, text)
        path.with_name("timestamp.txt").write_text("2026-01-02 03:04:05 UTC", encoding="utf-8")

    hostile = f'def causal_mask(*_, **__):\n    raise ValueError(r"{SCRIPT} {LINKS}" + str(_))\n'
    reversed_ = reference["causal_mask"].replace("key > last_visible", "key < last_visible")
    hand_in("ann", "My Masked Softmax (3).ipynb", reference)
    hand_in("bo", "masked_softmax.ipynb", reference | {"causal_mask": reversed_})
    hand_in(
        "cy", "masked_softmax.ipynb", reference | {"causal_mask": hostile, "write-both_directions": f"{SCRIPT} {LINKS}"}
    )
    hand_in("di", "masked_softmax.ipynb", reference, end=5000)
    (place / "course" / "submitted" / "ed" / lesson.name).mkdir(parents=True)
    hand_in("fumi", "masked_softmax.ja.ipynb", reference, "ja")
    return place / "course"


@pytest.fixture(scope="module")
def graded(class_, place):
    """After `attn grade` and nbgrader's own commands."""
    said = run("autograder.cli", "grade", class_ / "submitted", "--course", class_, "--out", place / "out", cwd=place)
    run("nbgrader", "export", cwd=class_)
    run("nbgrader", "generate_feedback", "04_masked_softmax", cwd=class_)
    return said


@pytest.fixture(scope="module")
def pages(graded, class_):
    """Feedback by student: what this kit and the learner have put in, without nbgrader's own scripts and styles."""
    found = {path.parts[-3]: path.read_text(encoding="utf-8") for path in class_.glob("feedback/*/*/*.html")}
    return {student: re.sub(r"(?s)<head>.*?</head>", "", page) for student, page in found.items()}


def test_scores_reach_nbgraders_csv(graded, class_):
    with (class_ / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    scores = {student: float(row["score"]) for student, row in rows.items()}
    assert {student: scores[student] for student in ("ann", "di", "ed", "fumi")} == {
        "ann": 20,
        "di": 0,
        "ed": 0,
        "fumi": 20,
    }
    assert 13 <= scores["bo"] < 20
    assert 13 <= scores["cy"] < 20
    assert {row["max_score"] for row in rows.values()} == {"20.0"}
    assert {row["timestamp"] for student, row in rows.items() if student != "ed"} == {"2026-01-02 03:04:05"}


def test_every_student_gets_a_page_that_says_what_the_code_does(pages):
    assert set(pages) == {"ann", "bo", "cy", "di", "ed", "fumi"}
    assert "the causal mask " in pages["bo"]
    assert "hint: " in pages["bo"]
    assert "the notebook is called My Masked Softmax (3).ipynb, not masked_softmax.ipynb" in pages["ann"]
    assert "the notebook is not complete JSON" in pages["di"]
    assert "holds no notebook" in pages["ed"]


def test_no_page_holds_a_hidden_tests_name_or_source(pages, lesson):
    source = (lesson.solution / "test_hidden.py").read_text(encoding="utf-8")
    names = [node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    lines = [line.strip() for line in source.splitlines() if len(line.strip()) >= LONG_ENOUGH]
    assert len(names) > 10
    for page in pages.values():
        text = re.sub(r"<[^>]+>", "", page)
        assert not [name for name in names if name in text or name.removeprefix("test_") in text]
        assert not [line for line in lines if line in text and not line.startswith(("import ", "def make"))]


def test_nothing_that_a_learner_wrote_becomes_a_script(pages):
    assert "alert(1)" in pages["cy"]
    assert not [page for page in pages.values() if SCRIPT in page]


def test_nothing_that_a_learner_wrote_becomes_a_link_or_a_command_of_a_formula(pages):
    """MathJax leaves code alone and takes an entity for what it stands for."""
    assert pages["cy"].count("evil.example") > 3
    assert not re.search(r"<a [^>]*evil", pages["cy"])
    shown = unescape(re.sub(r"(?s)<(pre|code)\b.*?</\1>", "", pages["cy"]))
    assert not re.search(r"\\(href|Huge)", shown)


def test_the_kits_own_cells_run_without_a_word(graded, place):
    report = json.loads((place / "out" / "reports" / "fumi" / "04_masked_softmax.json").read_text(encoding="utf-8"))
    assert (report["score"], report["problem"]) == (20, None)


def test_the_command_says_where_the_grades_are(graded, class_):
    assert f"scores and comments are in the gradebook of {class_}" in graded


def test_the_demos_gradebook_agrees_with_its_reports(demo):
    from nbgrader import api

    reports = [json.loads(path.read_text(encoding="utf-8")) for path in (demo.out / "reports").glob("*/*.json")]
    with api.Gradebook(f"sqlite:///{demo.out / 'course' / 'gradebook.db'}") as book:
        for report in reports:
            assert book.find_submission(report["assignment"], report["student"]).score == pytest.approx(report["score"])
    assert len(list((demo.out / "course" / "autograded").glob("*/*/*.ipynb"))) == len(reports)
