"""Reports as files, and a class in one object."""

import json
import unicodedata

import pytest

from autograder.course.reports import (
    encoded,
    folder_names,
    percentages,
    prepare_folder,
    remove_stale,
    report_path,
    summary,
    write_report,
)
from autograder.course.troubles import Refused
from autograder.model import Finding, NamedMistake, Report


def report(student="ann", assignment="04_masked_softmax", score=12.0, findings=(), status="graded"):
    return Report(1, student, assignment, 1, status, score, 20.0, (), findings, (), {"level": "full"}, {"sha256": "0"})


def named(*ids):
    return Finding(("f",), ("t",), mistakes=tuple(NamedMistake(id_) for id_ in ids))


@pytest.mark.parametrize("student", ["ann", "s01", "ann_lee-2.b", "山田太郎", "Zoë"])
def test_a_plain_name_stays(student):
    assert folder_names([student]) == {student: student}


@pytest.mark.parametrize(
    "student",
    [
        "../ann",
        "..",
        ".",
        "",
        "/etc/passwd",
        "a/b",
        "a\\b",
        "ann:x",
        "con",
        "NUL.txt",
        "ann ",
        ".hidden",
        "\x1b[31m",
        "x" * 300,
    ],
)
def test_any_other_name_becomes_a_safe_one(student, tmp_path):
    name = folder_names([student])[student]
    assert name not in ("", ".", "..")
    assert not set(name) & set('/\\:*?"<>|\x1b ')
    assert name[0] != "."
    assert name[-1] not in ". "
    path = report_path(tmp_path, name, "04")
    write_report(path, report(student=student))
    assert path.resolve().is_relative_to(tmp_path.resolve() / "reports")
    assert json.loads(path.read_text(encoding="utf-8"))["student"] == student


def test_no_two_students_share_a_folder_even_where_capitals_and_accents_do_not_count():
    students = ["a b", "a_b", "a/b", "Ann", "ann", "Zoe\u0308", "Zo\u00eb", "x" * 100, "x" * 101]
    names = folder_names(students)
    assert len({name.casefold() for name in names.values()}) == len(students)


@pytest.mark.parametrize(
    "students", [["Anna Berg"], ["Ann", "ann", "\u212bnn"], ["x" * 100, "con", "..", "straße", "\u3042" * 300]]
)
def test_who_is_called_like_another_ones_folder_gets_his_own(students):
    """Also where that folder's name was made to get out of the way of another, and in other capitals."""
    for _ in range(4):
        names = folder_names(students)
        assert len({name.casefold() for name in names.values()}) == len(students)
        assert max(len(name.encode("utf-8")) for name in names.values()) <= 255
        students = sorted({*students, *names.values(), *(name.upper() for name in names.values())})


@pytest.mark.parametrize("length", [1, 60, 80, 81, 300])
def test_a_name_of_wide_characters_can_be_written(length, tmp_path):
    student = "\U00020000" * length
    path = report_path(tmp_path, folder_names([student])[student], "04")
    write_report(path, report(student=student))
    assert json.loads(path.read_text(encoding="utf-8"))["student"] == student


def test_a_students_folder_does_not_depend_on_who_else_is_there_unless_they_clash():
    assert folder_names(["a/b", "cy"])["a/b"] == folder_names(["a/b"])["a/b"]


def test_a_report_under_an_older_folder_name_does_not_stay(tmp_path):
    def write(students, score):
        names = folder_names(students)
        for student in students:
            new = report(student, score=score)
            write_report(report_path(tmp_path, names[student], new.assignment), new)
            remove_stale(tmp_path, new, names.values())

    for students, score in [(["alice"], 20.0), (["alice", "ALICE"], 1.0), (["alice"], 2.0)]:
        write(students, score)
        kept = [json.loads(path.read_bytes()) for path in tmp_path.glob("reports/*/*.json")]
        assert [found["score"] for found in kept if found["student"] == "alice"] == [score]
    assert len(kept) == 2  # who is not graded again keeps theirs


def test_only_a_students_own_report_of_that_assignment_is_removed(tmp_path):
    names = folder_names(["alice", "ALICE"])
    others = {
        report_path(tmp_path, "alice", "03"): report("alice", "03"),
        report_path(tmp_path, names["ALICE"], "04"): report("ALICE", "04"),
        report_path(tmp_path, "bo", "04"): report("alice", "04"),
    }
    for path, other in others.items():
        write_report(path, other)
    for content in (b"not JSON", b"[]", b'{"student": 1}', encoded(report("someone", "04"))):
        odd = report_path(tmp_path, "alice", "04")
        odd.write_bytes(content)
        remove_stale(tmp_path, report("alice", "04"), names.values())
        assert odd.read_bytes() == content
        assert all(path.exists() for path in others)


def test_a_report_is_indented_json_that_ends_in_a_newline(tmp_path):
    path = tmp_path / "reports" / "ann" / "04_masked_softmax.json"
    write_report(path, report(findings=(named("a"),)))
    text = path.read_text(encoding="utf-8")
    assert text.startswith('{\n  "schema": 1,\n  "student": "ann",\n')
    assert text.endswith("}\n")
    assert json.loads(text)["findings"] == [
        {"functions": ["f"], "explains": ["t"], "mistakes": [{"id": "a", "with": {}}]}
    ]


def test_what_drives_a_terminal_or_cannot_be_seen_is_escaped_in_json():
    every = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    text = encoded({every: [every]}).decode("utf-8")
    assert not [c for c in {*text} - {"\n"} if unicodedata.category(c)[0] == "C" or c in "\u2028\u2029"]
    assert json.loads(text) == {every: [every]}
    assert "\\u009b" in text
    assert "\\u202e" in text
    assert "山田" in encoded("山田").decode("utf-8")


def test_a_report_that_cannot_be_finished_leaves_the_old_one(tmp_path, monkeypatch):
    path = tmp_path / "04.json"
    write_report(path, report(score=1.0))

    def stop(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", stop)
    with pytest.raises(OSError, match="No space left"):
        write_report(path, report(score=2.0))
    assert json.loads(path.read_text(encoding="utf-8"))["score"] == 1.0
    assert [file.name for file in tmp_path.iterdir()] == ["04.json"]


def test_a_place_that_cannot_be_written_is_refused_before_grading(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(Refused, match=r"^cannot write into .*file"):
        prepare_folder(tmp_path / "file")


def test_a_place_that_can_be_written_is_made(tmp_path):
    prepare_folder(tmp_path / "new" / "place")
    assert not [*(tmp_path / "new" / "place" / "reports").iterdir()]


def test_a_class_in_one_object():
    graded = [
        report("ann", score=20.0),
        report("bo", score=10.0, findings=(named("a"), named("b", "a"))),
        report(
            "cy",
            score=6.0,
            findings=(named("a"), Finding(("f",), ("t",)), Finding(("g",), ("u",), one_of=(NamedMistake("c"),))),
        ),
        report("di", score=0.0, status="timeout"),
        report("ann", "02_qkv_projections", score=5.0),
    ]
    assert summary(graded, 2.5, 8.0, {"calls": 2.0, "writing": 0.4}) == {
        "schema": 1,
        "submissions": 5,
        "statuses": {"graded": 4, "timeout": 1},
        "assignments": {
            "02_qkv_projections": {"submissions": 1, "mean_score": 5.0, "max_score": 20.0, "findings": {}},
            "04_masked_softmax": {
                "submissions": 4,
                "mean_score": 9.0,
                "max_score": 20.0,
                "findings": {"a": 2, "b": 1, "one-of": 1, "unknown": 1},
            },
        },
        "seconds": 2.5,
        "cpu_seconds": 8.0,
        "cpu_percent": {"other": 70.0, "calls": 25.0, "writing": 5.0},
    }


def test_shares_without_cpu_seconds_are_none():
    assert percentages({"calls": 0.0}, 0.0) == {}
