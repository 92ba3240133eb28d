"""What a learner wrote, by the answer it is to."""

import json

import pytest

from autograder.notebooks import written


def cell(source, grade_id=None, kind="code", **flags):
    marks = {"grade": False, "locked": False, "solution": False, "grade_id": grade_id, "schema_version": 3} | flags
    return {"cell_type": kind, "metadata": {"nbgrader": marks} if grade_id else {}, "source": source}


def answer(name, source, kind="code"):
    return cell(source, name, kind, solution=True, grade=kind == "markdown")


@pytest.fixture
def read(tmp_path):
    def of(*cells, metadata=None, prefix=b""):
        notebook = {"cells": cells, "metadata": metadata or {}, "nbformat": 4, "nbformat_minor": 5}
        (tmp_path / "ann.ipynb").write_bytes(prefix + json.dumps(notebook).encode("utf-8"))
        return written(tmp_path / "ann.ipynb")

    return of


def test_answers_are_known_by_their_ids_in_code_and_in_words(read):
    found = read(
        answer("mask", "def mask(): ..."), answer("write-why", "because", "markdown"), cell("check(mask)", "c")
    )
    assert found.answers == {"mask": "def mask(): ...", "write-why": "because"}


def test_the_learners_own_cells_follow_the_cell_that_they_followed(read):
    found = read(
        cell("x = 1"), answer("mask", "m"), cell("y = 2"), cell("prose", kind="markdown"), cell(" "), cell("z")
    )
    assert [(own.after, own.source) for own in found.own] == [("", "x = 1"), ("mask", "y = 2"), ("mask", "z")]


def test_both_halves_of_a_split_answer_are_kept_and_an_unwritten_copy_is_not(read):
    stub = answer("mask", "def mask():\n    raise NotImplementedError")
    found = read(answer("mask", "first"), stub, answer("mask", "second"), answer("mask", " "))
    assert found.answers == {"mask": "first\n\n\nsecond"}
    assert read(stub, stub).answers["mask"].count("NotImplementedError") == 1


def test_attempted_is_what_is_more_than_handed_out(read):
    found = read(answer("a", "x"), answer("b", "raise NotImplementedError"), answer("c", ""))
    assert found.attempted == {"a"}


@pytest.mark.parametrize("prefix", [b"", b"\xef\xbb\xbf"])
def test_a_notebook_says_which_assignment_it_is(read, prefix):
    assert read(metadata={"attn": {"assignment": "04_masked_softmax"}}, prefix=prefix).assignment == "04_masked_softmax"


@pytest.mark.parametrize("metadata", [{}, {"attn": None}, {"attn": {"assignment": 4}}, {"attn": []}])
def test_odd_metadata_says_nothing(read, metadata):
    assert read(answer("a", "x"), metadata=metadata).assignment is None


def test_without_marks_functions_are_found_by_their_names(tmp_path):
    script = '%matplotlib inline\n"\\d"\n@cached\ndef mask():\n    return 1\n\n'
    script += "class Layer:\n    x = 1\ndef mask():\n    return 2\n"
    (tmp_path / "ann.py").write_text(script, encoding="utf-8")
    found = written(tmp_path / "ann.py")
    assert found.answers == {"mask": "def mask():\n    return 2", "Layer": "class Layer:\n    x = 1"}
    (tmp_path / "ann.py").write_text("@cached\ndef mask(): pass\n", encoding="utf-8")
    assert written(tmp_path / "ann.py").answers == {"mask": "@cached\ndef mask(): pass"}


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[]", b'{"cells": [], "nbformat": 3}'])
def test_a_file_that_cannot_be_read_holds_nothing(tmp_path, content):
    (tmp_path / "ann.ipynb").write_bytes(content)
    assert written(tmp_path / "ann.ipynb").answers == {}
    assert written(tmp_path / "none.ipynb").answers == {}


def test_names_are_plain_and_of_bounded_length(read):
    for named in ("\ud800", "m" * 10_000):
        found = read(cell("x", named, solution=True), cell("y = 1"), metadata={"attn": {"assignment": named}})
        names = [*found.answers, *(own.after for own in found.own), found.assignment]
        assert {len(name.encode("utf-8")) <= 100 for name in names} == {True}


def test_nothing_that_goes_wrong_in_a_file_is_raised(tmp_path, monkeypatch):
    (tmp_path / "ann.py").write_text("x = 1\n", encoding="utf-8")

    def fails(*_):
        raise RecursionError

    monkeypatch.setattr("autograder.notebooks.answers.raw_file", fails)
    assert written(tmp_path / "ann.py").answers == {}
