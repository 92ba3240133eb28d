"""Paths become students, files and assignments."""

import os
import sys
from pathlib import Path

import pytest

from autograder.course.collect import collect, student_of
from autograder.course.reports import encoded
from autograder.course.troubles import Refused
from autograder.messages import say

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


def test_of_two_paths_with_one_student_the_others_are_graded(tmp_path):
    """Two people may have one name: neither of the files is taken for the other's, and nobody else loses by it."""
    put(tmp_path, "a/ann.py", "a/bo.py", "b/ann.py", "b/cy.py")
    one, other = tmp_path / "a", tmp_path / "b"
    found = collect([one, other], NAMES, guess).hand_ins
    assert [(hand.student, hand.problem is None) for hand in found] == [("ann", False), ("bo", True), ("cy", True)]
    said = say(found[0].problem.id, "en", **found[0].problem.with_)
    assert said == f"handed in twice, as {one / 'ann.py'} and as {other / 'ann.py'}, so neither is graded"


@pytest.mark.parametrize("spelled", ["class", "class/", "class/../class", "./class"])
def test_a_folder_given_twice_is_graded_once(tmp_path, monkeypatch, spelled):
    put(tmp_path / "class", "ann.py")
    monkeypatch.chdir(tmp_path)
    [hand_in] = collect([tmp_path / "class", Path(spelled)], NAMES, guess).hand_ins
    assert hand_in.problem is None


@pytest.mark.parametrize("beside", ["mallory/04_masked_softmax/x.py", "04_masked_softmax/mallory.py"])
@pytest.mark.parametrize("assignment", [None, "04_masked_softmax"])
def test_a_folder_beside_files_hides_nobody_and_is_told_of(tmp_path, beside, assignment):
    put(tmp_path, "alice.py", "bob.ipynb", beside)
    assert [student for student, *_ in collected(tmp_path, assignment)] == ["alice", "bob", "mallory"]
    assert noted(tmp_path, assignment) == [("note-mixed", tmp_path.name)]
    [note] = collect([tmp_path], NAMES, guess).notes
    assert note.with_["names"] == [beside.split("/", maxsplit=1)[0]]


@pytest.mark.parametrize("beside", ["stray.py", "02_qkv_projections/stray.py"])
def test_a_file_beside_students_folders_hides_nobody_and_is_told_of(tmp_path, beside):
    for student in ("alice", "bob", "cy"):
        put(tmp_path / student / "04_masked_softmax", "masked_softmax.py")
    put(tmp_path, beside)
    assert sorted(student for student, *_ in collected(tmp_path)) == ["alice", "bob", "cy", "stray"]
    [note] = collect([tmp_path], NAMES, guess).notes
    assert (note.id, note.with_["names"]) == ("note-mixed", [beside.split("/", maxsplit=1)[0]])


@pytest.mark.parametrize(
    "beside", ["04_masked_softmax/alice.py", "04_masked_softmax/alice.ipynb", "alice/04_masked_softmax/x.ipynb"]
)
def test_what_lies_in_a_folder_under_anothers_name_does_not_take_its_place(tmp_path, beside):
    put(tmp_path, "alice.py", "bob.py", beside)
    assert collected(tmp_path) == [(name, f"{name}.py", "04_masked_softmax") for name in ("alice", "bob")]
    [_, note] = collect([tmp_path], NAMES, guess).notes
    graded = tmp_path / "alice.py"
    assert say(note.id, "en", **note.with_) == f"{tmp_path / beside}: not graded, because alice also handed in {graded}"


def test_a_students_own_folder_comes_before_a_file_in_another(tmp_path):
    put(tmp_path, "alice/04_masked_softmax/masked_softmax.py", "04_masked_softmax/alice.ipynb")
    assert collected(tmp_path) == [("alice", "masked_softmax.py", "04_masked_softmax")]
    assert ("note-twice", "alice.ipynb") in noted(tmp_path)


def test_of_a_tree_everything_is_graded_or_told_of(tmp_path):
    """Whatever a student leaves where, there is a hand-in or a line."""
    put(tmp_path / "ann" / "04_masked_softmax", "masked_softmax.py")
    put(tmp_path / "bo", "masked_softmax.ipynb", "04_masked_softmax.py")
    put(tmp_path / "cy" / "04_masked_softmax", "x.py")
    put(tmp_path / "cy", "work.ipynb")
    put(tmp_path, "notes.txt", "di.py")
    (tmp_path / "ed").mkdir()
    assert [student for student, *_ in collected(tmp_path)] == ["ann", "cy", "di"]
    assert sorted(noted(tmp_path)) == [
        ("note-folder", "bo"),
        ("note-folder", "ed"),
        ("note-mixed", tmp_path.name),
        ("note-no-folder", "work.ipynb"),
        ("note-not-a-submission", "notes.txt"),
    ]


def test_a_folder_handed_in_that_cannot_be_read_is_told_of(tmp_path, monkeypatch):
    put(tmp_path, "ann.py", "04_masked_softmax/bo.py")
    listed = Path.iterdir

    def refuse(path):
        if path.name == "04_masked_softmax":
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr("pathlib.Path.iterdir", refuse)
    assert [student for student, *_ in collected(tmp_path)] == ["ann"]
    assert noted(tmp_path) == [("note-unreadable-folder", "04_masked_softmax")]


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


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes only there")
@pytest.mark.parametrize(
    "name",
    [
        *(b"note\xff.txt", b".dot\xff.py", b"lost\xff.py", b"folder\xff", b"\xff/04_masked_softmax/x.py", b"bo\xff.py"),
        *(b"04_masked_softmax/ann\xff.py", b"02_qkv_projections/\xff.txt", b".\xff/04_masked_softmax/x.py"),
    ],
)
def test_every_note_can_be_written_down_whatever_a_name_is_made_of(tmp_path, name):
    put(tmp_path, "ann.py", "other.ipynb", os.fsdecode(b"ann\xff.py"), os.fsdecode(b"ann\xff.ipynb"))
    put(tmp_path, "02_qkv_projections/x.py", text="02_qkv_projections")
    path = tmp_path / os.fsdecode(name)
    put(path.parent, path.name, text="x" if b"lost" in name else "04_masked_softmax")
    found = collect([tmp_path], NAMES, guess)
    assert encoded([found.notes, *(hand.notes for hand in found.hand_ins)])
    for note in found.notes:
        assert say(note.id, "en", **note.with_)
