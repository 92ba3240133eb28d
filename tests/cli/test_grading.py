"""`attn grade`, `attn check`, `attn demo` and `attn prove`, from the command line to files and sentences."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from autograder.content import load
from autograder.model import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]

SCORES = {"ann": 20.0, "cy": 0.0, "ed": 0.0, "fay": 0.0}
STATUSES = {"ann": "graded", "bo": "graded", "cy": "unreadable", "di": "crashed", "ed": "graded", "fay": "unreadable"}


def reports_in(folder):
    files = sorted((folder / "reports").glob("*/04_masked_softmax.json"))
    return {file.parent.name: json.loads(file.read_text(encoding="utf-8")) for file in files}


def only(folder, *names):
    """The class without the others."""
    for file in folder.iterdir():
        if file.name not in names:
            file.unlink()
    return folder


def verdict(report):
    return {key: report[key] for key in ("student", "status", "score", "tests", "findings", "problem")}


def test_a_class_is_graded_and_a_bad_submission_never_stops_the_others(attn, small_class, tmp_path):
    ran = attn("grade", small_class, "--out", tmp_path / "out")
    reports = reports_in(tmp_path / "out")
    assert ran.code == 0, ran.err
    assert {student: report["status"] for student, report in reports.items()} == STATUSES
    assert {student: reports[student]["score"] for student in SCORES} == SCORES
    assert [finding["mistakes"][0]["id"] for finding in reports["bo"]["findings"]] == ["mask-causal-reversed-triangle"]
    assert 0 < reports["bo"]["score"] < 20
    summary = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))
    assert summary["statuses"] == {"crashed": 1, "graded": 3, "unreadable": 2}
    assert summary["assignments"]["04_masked_softmax"]["findings"] == {"mask-causal-reversed-triangle": 1}
    assert summary["cpu_seconds"] > 0
    assert "04_masked_softmax: 6 handed in" in ran.out
    assert f"reports and summary.json are in {tmp_path / 'out'}\n" in ran.out
    assert "sandbox: " in ran.out
    assert ran.err == ""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
def test_several_jobs_give_the_same_reports(attn, small_class, tmp_path):
    only(small_class, "ann.py", "bo.py", "cy.ipynb", "di.py")
    alone, together = tmp_path / "alone", tmp_path / "together"
    assert attn("grade", small_class, "--out", alone).code == 0
    assert attn("grade", small_class, "--out", together, "--jobs", "2").code == 0
    one, other = reports_in(alone), reports_in(together)
    assert {name: verdict(report) for name, report in one.items()} == {
        n: verdict(report) for n, report in other.items()
    }


@pytest.mark.usefixtures("shared_host")
def test_json_is_all_that_stands_on_stdout(attn, small_class):
    ran = attn("grade", only(small_class, "ann.py", "cy.ipynb"), "--json")
    assert [report["student"] for report in json.loads(ran.out)] == ["ann", "cy"]


@pytest.mark.usefixtures("shared_host")
def test_the_same_secret_gives_the_same_reports_and_is_never_shown(attn, small_class, tmp_path):
    (tmp_path / "secret").write_text("a well kept secret\n", encoding="utf-8")
    first, again = (attn("grade", small_class / "bo.py", "--json", "--secret-file", tmp_path / "secret") for _ in "12")
    assert first.out == again.out
    [report] = json.loads(first.out)
    assert report["provenance"]["secret_id"] != "public"
    assert "well kept" not in first.out


@pytest.mark.usefixtures("shared_host")
def test_what_fails_on_our_side_is_an_error_of_one_report_alone(attn, small_class, tmp_path, monkeypatch):
    from autograder.course import batch

    only(small_class, "ann.py", "bo.py", "cy.ipynb")

    grade = batch.grade

    def fail_for_bo(kit, submission, host, **how):
        if submission.student == "bo":
            raise ZeroDivisionError("a bug")
        return grade(kit, submission, host, **how)

    monkeypatch.setattr(batch, "grade", fail_for_bo)
    ran = attn("grade", small_class, "--out", tmp_path / "out")
    reports = reports_in(tmp_path / "out")
    assert ran.code == 3
    assert {student: report["status"] for student, report in reports.items()} == {
        "ann": "graded",
        "bo": "error",
        "cy": "unreadable",
    }
    assert reports["bo"]["problem"] == {"id": "internal", "with": {"text": "ZeroDivisionError: a bug"}}
    assert "error of ours: the grader failed here, not your code: ZeroDivisionError: a bug" in " ".join(ran.out.split())


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
def test_a_grading_process_that_dies_costs_one_report(attn, small_class, tmp_path, monkeypatch):
    from autograder.course import batch

    only(small_class, "ann.py", "bo.py", "cy.ipynb")

    grade = batch.grade

    def die_for_bo(kit, submission, host, **how):
        if submission.student == "bo":
            os._exit(1)
        return grade(kit, submission, host, **how)

    monkeypatch.setattr(batch, "grade", die_for_bo)
    ran = attn("grade", small_class, "--out", tmp_path / "out", "--jobs", "2")
    reports = reports_in(tmp_path / "out")
    assert ran.code == 3
    assert {student: report["status"] for student, report in reports.items()} == {
        "ann": "graded",
        "bo": "error",
        "cy": "unreadable",
    }


@pytest.mark.usefixtures("shared_host")
def test_the_reference_gets_full_marks(attn):
    ran = attn("grade", "solutions/04_masked_softmax/solution.py", "--assignment", "04_masked_softmax")
    assert ran.code == 0
    assert "20 of 20 points" in ran.out


@pytest.mark.usefixtures("shared_host")
def test_what_was_not_graded_is_said(attn, small_class):
    only(small_class, "cy.ipynb")
    (small_class / "notes.txt").write_text("", encoding="utf-8")
    ran = attn("grade", small_class, "--assignment", "04", "--lang", "ja")
    assert ran.err == f"{small_class / 'notes.txt'}: ノートブックでも Python ファイルでもないので採点しません\n"


# ------------------------------------------------------------------------------------------------------- attn check


@pytest.mark.usefixtures("shared_host")
def test_a_check_that_passes_is_code_0(attn, small_class):
    ran = attn("check", small_class / "ann.py")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("all visible checks pass\n")


@pytest.mark.usefixtures("shared_host")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_check_that_fails_is_code_1_and_names_the_mistake(attn, small_class, language):
    ran = attn("check", small_class / "bo.py", "--lang", language)
    assert ran.code == 1
    mistake = load(ROOT / "solutions" / "04_masked_softmax").texts[language].mistakes["mask-causal-reversed-triangle"]
    words = "".join(ran.out.split())
    assert "".join(mistake.says.split()) in words
    assert "".join(mistake.hints[0].split()) in words
    assert f"attn check {small_class / 'bo.py'}" in ran.out


@pytest.mark.usefixtures("shared_host")
def test_an_unfinished_file_is_told_what_to_write(attn, small_class):
    ran = attn("check", small_class / "ed.py")
    assert ran.code == 1
    assert "`causal_mask` is not written yet" in ran.out


@pytest.mark.usefixtures("shared_host")
def test_a_check_of_half_a_notebook_says_so(attn, small_class):
    ran = attn("check", small_class / "cy.ipynb", "--assignment", "4")
    assert ran.code == 1
    assert "unreadable: the notebook is not complete JSON" in ran.out


@pytest.mark.usefixtures("shared_host")
def test_without_a_name_the_only_file_here_is_checked(attn, small_class, monkeypatch):
    monkeypatch.chdir(only(small_class, "ann.py"))
    assert attn("check").code == 0


def test_with_several_files_here_one_must_be_named(attn, small_class, monkeypatch):
    monkeypatch.chdir(small_class)
    ran = attn("check")
    assert (ran.code, ran.err) == (2, "attn: several files could be checked: ann.py, bo.py, di.py, ed.py; name one\n")


def test_of_several_files_the_one_worked_in_is_checked(attn, small_class, monkeypatch):
    """As in a learner's folder: the kit's files lie there untouched, and its visible tests."""
    monkeypatch.chdir(only(small_class, "ann.py", "ed.py"))
    tests = (ROOT / "assignments" / "04_masked_softmax" / "test_visible.py").read_text(encoding="utf-8")
    Path("test_visible.py").write_text(tests, encoding="utf-8")
    assert attn("check").code == 0


def test_of_files_as_they_were_handed_out_the_notebook_is_checked(attn, tmp_path, monkeypatch):
    """All say the same: what is to be written first. A learner who has just begun is not asked which one."""
    shutil.copytree(ROOT / "assignments" / "04_masked_softmax", tmp_path / "04")
    monkeypatch.chdir(tmp_path / "04")
    ran = attn("check")
    assert (ran.code, ran.err) == (1, "")
    assert "next: write `causal_mask`, then type: attn check" in ran.out


@pytest.mark.parametrize("name", ["04", "masked_softmax", "04_masked_softmax"])
def test_an_assignment_may_be_named_in_place_of_its_file(attn, small_class, monkeypatch, tmp_path, name):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "assignments" / "04_masked_softmax"
    shutil.copytree(ROOT / "assignments" / "04_masked_softmax", folder)
    (folder / "masked_softmax.py").write_text((small_class / "ann.py").read_text(encoding="utf-8"), encoding="utf-8")
    ran = attn("check", name)
    assert (ran.code, ran.err) == (0, "")


def test_with_no_file_here_one_must_be_named(attn, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = attn("check")
    assert (ran.code, ran.err) == (2, "attn: no notebook or Python file to check here; name one: attn check FILE\n")


# -------------------------------------------------------------------------------------------------- attn demo, prove


@pytest.mark.usefixtures("shared_host")
def test_the_demo_grades_the_sample_class_and_says_where_the_results_are(attn, small_class, tmp_path, monkeypatch):
    monkeypatch.setattr("autograder.cli.demo.sample_class", lambda: only(small_class, "ann.py", "fay.py"))
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    ran = attn("demo", "--out", tmp_path / "attn-demo")
    assert ran.code == 0, ran.err
    assert set(reports_in(tmp_path / "attn-demo")) == {"ann", "fay"}
    assert f"reports and summary.json are in {tmp_path / 'attn-demo'}\n" in ran.out
    assert "sandbox: " in ran.out


def test_the_sample_class_ships_with_the_repository(attn):
    from autograder.cli.demo import sample_class

    assert len([*sample_class().rglob("*.py"), *sample_class().rglob("*.ipynb")]) >= 16


def test_a_demo_without_its_class_says_where_to_run_it(attn, tmp_path, monkeypatch):
    monkeypatch.setattr("autograder.content.find_solutions", lambda: tmp_path / "solutions")
    ran = attn("demo", "--out", tmp_path / "out")
    place = tmp_path / "tests" / "submissions"
    assert (ran.code, ran.err) == (2, f"attn: no sample class at {place}; run this inside the course's repository\n")


@pytest.fixture
def proofs(monkeypatch):
    """What `prove` is asked, and what it answers."""
    asked = []

    def prove(folder, device="cpu", seeds=0, *, tell):
        asked.append((folder.name, device, seeds))
        tell("pairs")
        faults = ["mask-off-by-one: not named"] if folder.name.startswith("02") else []
        groups = [{"id": "one", "size": 2, "reasons": {"other": "no call can tell"}}]
        separations = ["one and other: f(tensor (2, 3)), argument 0 times 12"]
        return {"mistakes": 3, "caught": 3, "groups": groups, "separations": separations, "faults": faults}

    monkeypatch.setattr("autograder.prove.prove", prove)
    return asked


def test_a_proof_that_holds_is_code_0(attn, proofs):
    ran = attn("prove", "04")
    assert (ran.code, proofs) == (0, [("04_masked_softmax", "cpu", 0)])
    assert ran.out.startswith("04_masked_softmax: every proof holds\n")


def test_a_proof_shows_which_mistakes_cannot_be_told_apart(attn, proofs):
    assert "  group of 2                  one = other: no call can tell\n" in attn("prove", "04").out


def test_a_proof_suggests_calls_that_would_tell_twins_apart(attn, proofs):
    out = attn("prove", "04").out
    assert "these would be told apart by a call that no test makes yet:\n    one and other: f(tensor" in out


def test_other_secrets_can_be_asked_for(attn, proofs):
    attn("prove", "04", "--seeds", "20")
    assert proofs == [("04_masked_softmax", "cpu", 20)]


def test_a_proof_that_fails_is_code_3_and_says_why(attn, proofs):
    ran = attn("prove", "02")
    assert ran.code == 3
    assert ran.out.startswith("02_qkv_projections: faults: 1\n")
    assert "  mask-off-by-one: not named\n" in ran.out


def test_all_assignments_are_proved_where_none_is_named(attn, proofs, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 1)  # more would prove them side by side, in other processes
    ran = attn("prove", "--json")
    assert json.loads(ran.out)["04_masked_softmax"]["caught"] == 3
    assert [name for name, *_ in proofs] == sorted(json.loads(ran.out))
    assert len(proofs) >= 2


def test_assignments_are_proved_side_by_side(attn, tmp_path, monkeypatch):
    """In processes of their own: what is wrong with one is told beside the other's."""
    for name in ("91_bare", "92_bare"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr("autograder.content.find_solutions", lambda: tmp_path)
    ran = attn("prove", "91_bare", "92_bare")
    assert ran.code == 3
    assert "91_bare/assignment.toml" in ran.err


@pytest.mark.usefixtures("shared_host")
def test_a_report_that_cannot_be_written_does_not_stop_the_class(attn, small_class, tmp_path):
    out = tmp_path / "out"
    (out / "reports").mkdir(parents=True)
    (out / "reports" / "ann").write_text("in the way", encoding="utf-8")
    ran = attn("grade", only(small_class, "ann.py", "bo.py"), "--assignment", "04", "--out", out)
    assert ran.code == 3
    assert "the report cannot be written" in " ".join(ran.out.split())
    assert (out / "reports" / "bo" / "04_masked_softmax.json").is_file()
    statuses = json.loads((out / "summary.json").read_text(encoding="utf-8"))["statuses"]
    assert statuses == {"error": 1, "graded": 1}
