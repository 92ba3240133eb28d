"""nbgrader's tree of submissions: whose each is, and which of the files in it is the notebook."""

import json
import os
import sys
import time

import msgspec
import pytest

from autograder.course import submitted
from autograder.course.collect import collect
from autograder.course.submitted import Tree, shown_name
from autograder.course.troubles import Refused
from autograder.notebooks import written

NAMES = ("02_qkv_projections", "04_masked_softmax")
ASKED = {
    "02_qkv_projections": ("project", "qkv", "matrix_of", "QKVProjection", "sinusoidal_positions"),
    "04_masked_softmax": ("causal_mask", "padding_mask", "masked_softmax", "masked_attention", "self_attention"),
}


def no_guess(path):
    raise AssertionError(f"{path} was guessed, though its folder says what it is")


@pytest.fixture
def place(tmp_path, lesson):
    return tmp_path / "submitted" / "ann" / lesson.name


def collected(folder, assignment=None):
    return collect([folder], NAMES, no_guess, assignment, ASKED.__getitem__)


def only(tmp_path):
    [hand_in] = collected(tmp_path / "submitted").hand_ins
    return hand_in


def noted(hand_in):
    return [note.id for note in hand_in.notes]


def test_in_a_submitted_tree_folders_say_whose_it_is_and_what_it_answers(tmp_path, lesson):
    for student in ("bo", "ann"):
        for name in NAMES:
            lesson.put(
                tmp_path / "submitted" / student / name / lesson.built(name=name).name, lesson.filled({}, name=name)
            )
    hand_ins = collected(tmp_path / "submitted").hand_ins
    assert [(hand.student, hand.assignment) for hand in hand_ins] == [
        ("ann", "02_qkv_projections"),
        ("bo", "02_qkv_projections"),
        ("ann", "04_masked_softmax"),
        ("bo", "04_masked_softmax"),
    ]
    assert [hand.path.name for hand in hand_ins] == ["qkv_projections.ipynb"] * 2 + ["masked_softmax.ipynb"] * 2
    assert not any(hand.notes for hand in hand_ins)


def test_the_tree_is_known_whatever_its_folder_is_called(tmp_path, lesson):
    lesson.put(tmp_path / "week 3" / "ann" / lesson.name / "masked_softmax.ipynb", lesson.filled({}))
    assert [hand.student for hand in collected(tmp_path / "week 3").hand_ins] == ["ann"]


def test_one_students_folder_of_the_tree_is_graded_alone(tmp_path, place, lesson):
    lesson.put(place / "masked_softmax.ipynb", lesson.filled({}))
    lesson.put(tmp_path / "submitted" / "bo" / lesson.name / "masked_softmax.ipynb", lesson.filled({}))
    assert [hand.student for hand in collected(place.parent).hand_ins] == ["ann"]


def test_of_the_tree_only_the_assignment_asked_for_is_graded(tmp_path, place, lesson):
    lesson.put(place / "masked_softmax.ipynb", lesson.filled({}))
    lesson.put(place.parent / "02_qkv_projections" / "qkv_projections.ipynb", lesson.filled({}, name=NAMES[0]))
    found = collected(tmp_path / "submitted", lesson.name)
    assert [hand.assignment for hand in found.hand_ins] == [lesson.name]
    assert [note.id for note in found.notes] == ["note-other-assignment"]


def test_an_assignment_that_is_not_ours_is_left_to_nbgrader(tmp_path, place, lesson):
    lesson.put(place / "masked_softmax.ipynb", lesson.filled({}))
    lesson.put(place.parent / "essay" / "essay.ipynb", "{}")
    found = collected(tmp_path / "submitted")
    assert len(found.hand_ins) == 1
    assert [(note.id, note.with_["path"].endswith("essay")) for note in found.notes] == [("note-folder", True)]


@pytest.mark.parametrize(
    "name", ["Masked Softmax (final) (2).ipynb", "hw4.IPYNB", "提出.ipynb", "masked_softmax-Copy1.ipynb"]
)
def test_a_renamed_notebook_is_found_by_what_it_says_of_itself(tmp_path, place, lesson, reference, name):
    lesson.put(place / name, lesson.filled(reference))
    lesson.put(place / "softmax notes.ipynb", {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    hand_in = only(tmp_path)
    assert hand_in.path.name == name
    assert noted(hand_in) == ["note-renamed", "note-also-there"]


def test_a_renamed_notebook_that_lost_its_metadata_is_found_by_its_answers(tmp_path, place, lesson, reference):
    stripped = lesson.filled(reference) | {"metadata": {}}
    lesson.put(place / "work.ipynb", stripped)
    lesson.put(
        place / "masked softmax scratch.ipynb", {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    )
    assert only(tmp_path).path.name == "work.ipynb"


def test_where_nothing_else_tells_the_name_does(tmp_path, place, lesson):
    for name in ("notes.ipynb", "Masked-Softmax.ipynb", "plots.ipynb"):
        lesson.put(place / name, {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    assert only(tmp_path).path.name == "Masked-Softmax.ipynb"


@pytest.mark.parametrize(("worked_in", "left"), [("ja", "en"), ("en", "ja")])
def test_of_two_languages_the_one_worked_in_is_graded(tmp_path, place, lesson, reference, worked_in, left):
    lesson.put(place / lesson.built(worked_in).name, lesson.filled(reference, worked_in))
    lesson.put(place / lesson.built(left).name, lesson.filled({}, left))
    hand_in = only(tmp_path)
    assert hand_in.path.name == lesson.built(worked_in).name
    assert [(note.id, note.with_["path"]) for note in hand_in.notes] == [("note-also-there", lesson.built(left).name)]


def test_a_notebook_of_another_assignment_is_not_taken_for_this_one(tmp_path, place, lesson):
    lesson.put(
        place / "qkv_projections.ipynb", lesson.filled({"project": "def project(x, W): return x @ W"}, name=NAMES[0])
    )
    lesson.put(place / "masked_softmax.ipynb", lesson.filled({}))
    assert only(tmp_path).path.name == "masked_softmax.ipynb"


def test_a_notebook_of_another_assignment_alone_is_graded_and_noted(tmp_path, place, lesson):
    lesson.put(place / "qkv_projections.ipynb", lesson.filled({}, name=NAMES[0]))
    assert noted(only(tmp_path)) == ["note-renamed", "note-of-another"]


def test_a_script_is_graded_where_there_is_no_notebook(tmp_path, place, lesson):
    lesson.put(place / "masked_softmax.py", "x = 1\n")
    assert only(tmp_path).path.name == "masked_softmax.py"


@pytest.mark.parametrize("beside", ["notes.txt", None])
def test_a_submission_without_a_notebook_is_a_submission_all_the_same(tmp_path, place, lesson, beside):
    place.mkdir(parents=True)
    if beside:
        (place / beside).write_text("sorry", encoding="utf-8")
    hand_in = only(tmp_path)
    assert (hand_in.student, hand_in.assignment) == ("ann", lesson.name)
    assert hand_in.problem.id == "no-notebook"


def test_checkpoints_and_folders_are_no_notebooks(tmp_path, place, lesson, reference):
    lesson.put(place / ".ipynb_checkpoints" / "masked_softmax-checkpoint.ipynb", lesson.filled(reference))
    lesson.put(place / "old.ipynb" / "x.ipynb", "{}")
    assert only(tmp_path).problem.id == "no-notebook"


def test_half_a_notebook_under_the_right_name_is_handed_in(tmp_path, place, lesson):
    lesson.put(place / "masked_softmax.ipynb", json.dumps(lesson.filled({}))[:900])
    assert only(tmp_path).path.name == "masked_softmax.ipynb"


def test_a_link_in_the_tree_is_handed_in_but_not_followed(tmp_path, place, lesson, reference):
    elsewhere = lesson.put(tmp_path / "bo.ipynb", lesson.filled(reference))
    place.mkdir(parents=True)
    try:
        (place / "masked_softmax.ipynb").symlink_to(elsewhere)
        (tmp_path / "submitted" / "cy").symlink_to(place.parent)
    except OSError:
        pytest.skip("no links here")
    hand_in = only(tmp_path)
    tree = Tree(NAMES, ASKED.__getitem__, None, [])
    assert tree.hand_in("ann", place) == hand_in
    assert (hand_in.student, hand_in.path.is_symlink()) == ("ann", True)


def test_a_tree_without_submissions_is_refused(tmp_path):
    (tmp_path / "submitted" / "ann").mkdir(parents=True)
    with pytest.raises(Refused, match="no submissions"):
        collected(tmp_path / "submitted")


def test_a_students_folder_whose_name_is_no_utf8_can_be_written_down():
    assert shown_name("ann\udcff") == "ann\\xff"


def test_a_file_of_nothing_but_magics_stops_nobody(tmp_path, place, lesson):
    cells = [{"cell_type": "code", "metadata": {}, "source": "%%time\n" * 1500}]
    lesson.put(place / "masked_softmax.ipynb", {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    assert only(tmp_path).path.name == "masked_softmax.ipynb"


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes only there")
def test_a_name_that_is_no_utf8_can_be_written_down(tmp_path, place, lesson):
    for name in (b"masked\xff.ipynb", b"other\xff.ipynb"):
        lesson.put(place / os.fsdecode(name), lesson.filled({}))
    notes = only(tmp_path).notes
    assert [note.id for note in notes] == ["note-renamed", "note-also-there"]
    assert b"\\\\xff" in msgspec.json.encode(notes)


def test_of_many_files_those_are_read_whose_names_fit_and_one_line_says_so(tmp_path, place, lesson, reference):
    lesson.put(place / "masked_softmax.ipynb", lesson.filled(reference))
    for number in range(submitted.MOST_ENTRIES + 500):
        (place / f"aa {number}.ipynb").touch()
    started = time.monotonic()
    hand_in = only(tmp_path)
    assert time.monotonic() - started < 5
    assert hand_in.path.name == "masked_softmax.ipynb"
    first, *others = hand_in.notes
    assert (first.id, first.with_) == ("note-many-files", {"path": lesson.name, "count": submitted.MOST_READ})
    assert len(others) <= submitted.MOST_NOTES


def test_of_large_files_no_more_is_read_than_fits(tmp_path, place, lesson, reference, monkeypatch):
    notebook = lesson.put(place / "masked_softmax.ipynb", lesson.filled(reference))
    monkeypatch.setattr(submitted, "MOST_BYTES", notebook.stat().st_size + 1000)
    (place / "large.ipynb").write_bytes(bytes(2000))
    asked = []
    monkeypatch.setattr(submitted, "written", lambda path: asked.append(path.name) or written(path))
    assert (only(tmp_path).path.name, asked) == ("masked_softmax.ipynb", ["masked_softmax.ipynb"])
    assert noted(only(tmp_path)) == ["note-many-files"]


def test_one_students_many_folders_are_few_lines_and_the_class_goes_on(tmp_path, place, lesson, reference):
    lesson.put(place / "masked_softmax.ipynb", lesson.filled(reference))
    lesson.put(tmp_path / "submitted" / "bo" / lesson.name / "masked_softmax.ipynb", lesson.filled(reference))
    for number in range(submitted.MOST_ENTRIES + 10):
        (place.parent / f"00 {number}").mkdir()
    found = collected(tmp_path / "submitted")
    assert [hand.student for hand in found.hand_ins] == ["ann", "bo"]
    assert len(found.notes) == submitted.MOST_NOTES + 1
    assert found.notes[-1].id == "note-many-folders"


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes only there")
def test_a_folder_whose_name_is_no_utf8_can_be_written_down(tmp_path, place, lesson, reference):
    lesson.put(place / "masked_softmax.ipynb", lesson.filled(reference))
    (place.parent / os.fsdecode(b"essay\xff")).mkdir()
    [note] = collected(tmp_path / "submitted").notes
    assert note.with_["path"].endswith("essay\\xff")
    assert msgspec.json.encode(note)
