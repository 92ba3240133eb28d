"""Paths become students, files and assignments."""

import os
from pathlib import Path

import pytest

from autograder.course.collect import collect, student_of
from autograder.course.troubles import Refused

NAMES = ("02_qkv_projections", "04_masked_softmax")


def guess(path):
    """By the first word of the file, as the real one does by the functions defined."""
    word = path.read_text(encoding="utf-8").split()[:1]
    return word[0] if word and word[0] in NAMES else None


def put(folder, *names, text="04_masked_softmax"):
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def collected(path, assignment=None):
    got = collect([path], NAMES, guess, assignment)
    return [(hand.student, hand.path.name, hand.assignment) for hand in got.hand_ins]


def noted(path, assignment=None):
    notes = collect([path], NAMES, guess, assignment).notes
    return [(note.id, Path(note.with_["path"]).name) for note in notes]


def refusal(path, assignment=None, language="en"):
    with pytest.raises(Refused) as refused:
        collect(path if isinstance(path, list) else [path], NAMES, guess, assignment)
    return refused.value.in_language(language)


def test_a_file_is_one_submission(tmp_path):
    put(tmp_path, "ann.py")
    assert collected(tmp_path / "ann.py") == [("ann", "ann.py", "04_masked_softmax")]


def test_in_a_flat_folder_the_student_is_the_stem(tmp_path):
    put(tmp_path, "cy.ipynb", "ann.py", "bo.PY")
    assert [student for student, *_ in collected(tmp_path)] == ["ann", "bo", "cy"]


def test_the_named_assignment_wins_over_a_guess(tmp_path):
    put(tmp_path, "ann.py")
    assert collected(tmp_path, "02_qkv_projections") == [("ann", "ann.py", "02_qkv_projections")]


@pytest.mark.parametrize("inside", ["02_qkv_projections", "02_qkv_projections/mistaken"])
def test_a_folder_named_like_an_assignment_says_it(tmp_path, inside):
    put(tmp_path / inside, "ann.py", text="nothing to guess from")
    assert collected(tmp_path / inside / "ann.py") == [("ann", "ann.py", "02_qkv_projections")]
    assert collected(tmp_path / inside) == [("ann", "ann.py", "02_qkv_projections")]


def test_sub_folders_named_like_assignments_are_graded_each(tmp_path):
    put(tmp_path / "02_qkv_projections", "ann.py")
    put(tmp_path / "04_masked_softmax", "ann.py", "bo.py")
    assert collected(tmp_path) == [
        ("ann", "ann.py", "02_qkv_projections"),
        ("ann", "ann.py", "04_masked_softmax"),
        ("bo", "bo.py", "04_masked_softmax"),
    ]


def test_of_such_folders_only_the_one_asked_for_is_graded(tmp_path):
    put(tmp_path / "02_qkv_projections", "ann.py")
    put(tmp_path / "04_masked_softmax", "bo.py")
    assert collected(tmp_path, "04_masked_softmax") == [("bo", "bo.py", "04_masked_softmax")]
    assert noted(tmp_path, "04_masked_softmax") == [("note-other-assignment", "02_qkv_projections")]


def test_what_is_no_submission_is_noted_and_what_nobody_handed_in_is_not(tmp_path):
    put(tmp_path, "ann.py", "notes.txt", "expected.toml", ".DS_Store", "__pycache__/ann.cpython-311.pyc", "old/bo.py")
    assert collected(tmp_path) == [("ann", "ann.py", "04_masked_softmax")]
    assert noted(tmp_path) == [("note-not-a-submission", "notes.txt"), ("note-folder", "old")]


def test_of_two_files_of_one_student_the_notebook_is_graded(tmp_path):
    put(tmp_path, "ann.ipynb", "ann.py")
    assert collected(tmp_path) == [("ann", "ann.ipynb", "04_masked_softmax")]
    assert noted(tmp_path) == [("note-two-files", "ann.py")]


def test_two_files_of_one_student_for_two_assignments_are_both_graded(tmp_path):
    put(tmp_path, "ann.ipynb")
    put(tmp_path, "ann.py", text="02_qkv_projections")
    assert [assignment for *_, assignment in collected(tmp_path)] == list(NAMES)


def test_half_a_notebook_belongs_where_the_others_do(tmp_path):
    put(tmp_path, "ann.py", "bo.py")
    put(tmp_path, "cy.ipynb", text='{"cells": [')
    assert collected(tmp_path)[2] == ("cy", "cy.ipynb", "04_masked_softmax")


def test_a_file_that_may_belong_to_several_is_asked_about(tmp_path):
    put(tmp_path, "ann.py", text="x = 1")
    place = tmp_path / "ann.py"
    names = "02_qkv_projections, 04_masked_softmax"
    assert refusal(place) == f"cannot tell which assignment {place} belongs to; say --assignment NAME, one of: {names}"
    assert refusal(place, language="ja").startswith(f"{place} がどの課題か分かりません。")


def test_the_same_file_twice_is_graded_once(tmp_path):
    put(tmp_path, "ann.py")
    assert len(collect([tmp_path, tmp_path / "ann.py"], NAMES, guess).hand_ins) == 1


def test_two_folders_with_one_student_are_refused_before_anything_is_graded(tmp_path):
    put(tmp_path, "a/ann.py", "b/ann.py")
    one, other = tmp_path / "a" / "ann.py", tmp_path / "b" / "ann.py"
    assert refusal([one, other]) == f"ann handed in 04_masked_softmax twice: {one} and {other}"


def test_a_link_is_handed_in_but_not_followed(tmp_path):
    put(tmp_path / "class", "bo.py")
    put(tmp_path, "solution.py")
    try:
        (tmp_path / "class" / "ann.py").symlink_to(tmp_path / "solution.py")
        (tmp_path / "class" / "cy.py").symlink_to(tmp_path / "nowhere")
    except OSError:
        pytest.skip("no links here")
    hand_ins = collect([tmp_path / "class"], NAMES, lambda path: None if path.is_symlink() else guess(path)).hand_ins
    assert [hand.student for hand in hand_ins] == ["ann", "bo", "cy"]


def test_a_path_that_is_not_there(tmp_path):
    assert refusal(tmp_path / "nowhere") == f"no such file or folder: {tmp_path / 'nowhere'}"


def test_a_folder_without_submissions(tmp_path):
    put(tmp_path, "notes.txt")
    assert refusal(tmp_path) == f"no submissions (.ipynb or .py) in {tmp_path}"


def test_a_file_of_another_kind(tmp_path):
    put(tmp_path, "ann.docx")
    assert refusal(tmp_path / "ann.docx").endswith("ann.docx is neither a notebook (.ipynb) nor a Python file (.py)")


def test_a_folder_that_cannot_be_read(tmp_path, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.iterdir", refuse)
    assert refusal(tmp_path) == f"cannot read {tmp_path}: Permission denied"


@pytest.mark.skipif(os.name == "nt", reason="names are text on Windows")
def test_a_name_that_is_no_utf8_can_still_be_written_down(tmp_path):
    name = os.fsdecode(b"\xff-ann.py")
    put(tmp_path, name)
    assert student_of(tmp_path / name) == "\\xff-ann"
