"""A file in which no code can be read is a problem with a name, never an exception."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.model import Note, Submission
from autograder.notebooks import cells

DEEP = 100_000


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("s01.ipynb", "", Note("empty")),
        ("s01.ipynb", " \n", Note("empty")),
        ("s01.ipynb", '{"cells": []}', Note("empty")),
        ("s01.ipynb", '{"cells": [{"cell_type": "code", "source": " \\n"}]}', Note("empty")),
        ("s01.ipynb", '{"cells": [\n{"cell_type": "co', Note("not-json", {"line": 2})),
        ("s01.ipynb", "<!DOCTYPE html>", Note("not-json", {"line": 1})),
        ("s01.ipynb", '{"cells": ' + "1" * 5000 + "}", Note("not-json", {"line": 1})),
        ("s01.ipynb", '["cells"]', Note("not-a-notebook")),
        ("s01.ipynb", '{"cells": 3}', Note("not-a-notebook")),
        ("s01.ipynb", "{}", Note("not-a-notebook")),
        ("s01.ipynb", '{"nbformat": 3, "worksheets": [{"cells": []}]}', Note("unsupported-nbformat", {"version": 3})),
        ("s01.ipynb", '{"worksheets": []}', Note("unsupported-nbformat", {"version": 3})),
        ("s01.ipynb", '{"nbformat": 5, "cells": []}', Note("unsupported-nbformat", {"version": 5})),
        ("s01.ipynb", "[" * DEEP, Note("too-deep")),
        ("s01.ipynb", "ノート".encode("cp932"), Note("not-utf8", {"line": 1})),
        ("s01.ipynb", '{"cells": []}'.encode("utf-16"), Note("not-utf8", {"line": 1})),
        ("s01.py", "", Note("empty")),
        ("s01.py", "\ufeff\n\n", Note("empty")),
        ("s01.py", "x = 1\n# 注意\n".encode("cp932"), Note("not-utf8", {"line": 2})),
        ("s01.py", "# coding: no-such-encoding\nx = '\u00e9'\n".encode("latin-1"), Note("not-utf8", {"line": 2})),
        ("s01.py", "# coding: undefined\n\u00e9 = 1\n".encode("latin-1"), Note("not-utf8", {"line": 1})),
        ("s01.py", "x = 1\ndef f(:\n    pass\n", Note("syntax-error", {"line": 2, "text": "def f(:"})),
        ("s01.py", "def f():\n\treturn 1\n        return 2\n", Note("syntax-error", {"line": 3, "text": "return 2"})),
        ("s01.py", "print 'two'\n", Note("syntax-error", {"line": 1, "text": "print 'two'"})),
        ("s01.py", "-" * (DEEP // 2) + "1", Note("too-deep")),
    ],
)
def test_what_cannot_be_read_is_named(desk, name, content, problem):
    submission = desk.read(name, content)
    assert submission.problem == problem
    assert submission.cells == ()
    assert len(submission.sha256) == 64


def test_a_null_byte_is_a_syntax_error(desk):
    problem = desk.read("s01.py", "x = 1\ny = '\0'\n").problem
    assert problem is not None
    assert problem.id == "syntax-error"


@pytest.mark.parametrize("name", ["s01.py", "s01.ipynb"])
def test_a_file_that_is_too_large_is_not_read(desk, name, monkeypatch):
    monkeypatch.setattr(cells, "MAX_FILE", 10)
    submission = desk.read(name, " " * 11)
    assert (submission.problem, submission.sha256) == (Note("too-large", {"limit": 10}), "")
    assert desk.read(name, " " * 10).problem == Note("empty")


def test_code_beyond_measure_is_not_parsed_but_outputs_may_be_large(desk, monkeypatch):
    monkeypatch.setattr(cells, "MAX_CODE", 10)
    too_large = Note("too-large", {"limit": 10})
    assert desk.read("s01.py", "x = 123456\n").problem == too_large
    assert desk.read_cells(desk.code("x = 1"), desk.code("y = 123")).problem == too_large
    turned = desk.text("x = 1234567", grade_id="softmax", solution=True, cell_type="code")
    assert desk.read_cells(turned).problem == too_large
    shown = desk.code("x = 1") | {"outputs": [{"output_type": "stream", "text": "x" * 1000}]}
    assert desk.read_cells(shown, desk.text("prose" * 1000)).problem is None


def test_one_piece_of_code_is_no_longer_than_the_parser_takes_a_second_over(desk, monkeypatch):
    monkeypatch.setattr(cells, "MAX_CELL", 10)
    too_large = Note("too-large", {"limit": 10})
    assert desk.read("s01.py", "x = 123456\n").problem == too_large
    assert desk.read_cells(desk.code("x = 1234567")).problem == too_large
    assert desk.read_cells(*[desk.code("x = 1")] * 5).problem is None
    assert desk.read("s01.py", "# %%\nx = 1\n" * 5).problem is None


def test_a_version_of_any_length_is_a_short_note(desk):
    problem = desk.read("s01.ipynb", '{"nbformat": ' + "9" * 4000 + ', "cells": []}').problem
    assert problem == Note("unsupported-nbformat", {"version": 99})


def test_notes_are_few_and_short_however_many_cells_are_odd(desk):
    template = desk.template(desk.kits("import torch"), desk.answer("pass"))
    odd = [desk.kits("x = 1", f"{number} " + "m" * 10_000) for number in range(1000)]
    submission = desk.read_cells(desk.answer("x = 2"), *odd, template=template)
    assert submission.problem is None
    assert len(submission.notes) == 50
    assert max(len(note.with_["cell"]) for note in submission.notes) == 100


def test_cells_beyond_number_are_not_sorted(desk, monkeypatch):
    monkeypatch.setattr(cells, "MAX_CELLS", 2)
    assert desk.read_cells(*[desk.code("x")] * 3).problem == Note("too-large", {"limit": 2})
    assert desk.read_cells(*[desk.code("x")] * 2).problem is None


def test_a_folder_or_a_path_that_is_not_there_is_a_problem(desk):
    missing = desk.folder / "s01.py"
    folder = desk.write("s02.ipynb/inside.txt", "").parent
    for path, said in ((missing, "No such file or directory"), (folder, "not a file")):
        submission = desk.read_path(path)
        assert submission.problem == Note("unreadable-file", {"text": said})
        assert submission.sha256 == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_not_waited_for(desk):
    os.mkfifo(desk.folder / "s01.py")
    assert desk.read_path(desk.folder / "s01.py").problem == Note("unreadable-file", {"text": "not a file"})


def test_a_link_is_not_followed(desk):
    target = desk.write("solution.py", "x = 1\n")
    link = desk.folder / "s01.py"
    try:
        link.symlink_to(target)
    except OSError:
        pytest.skip("links cannot be made here")
    assert desk.read_path(link).problem == Note("link")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.one_of(
        st.binary(max_size=80),
        st.text(alphabet="%!?#'\"\\ \n\t([{)]}=:abf0\0\ud7ff", max_size=80).map(lambda text: text.encode()),
    ),
    name=st.sampled_from(["s01.py", "s01.ipynb"]),
)
def test_any_bytes_give_a_submission(desk, content, name):
    submission = desk.read(name, content)
    assert isinstance(submission, Submission)
    assert submission.cells or submission.problem or submission.notes


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["cell_type", "source", "metadata", "nbgrader", "grade_id", "locked", "solution"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cells_=st.lists(JSON, max_size=4), released=st.booleans())
def test_any_json_gives_a_submission(desk, cells_, released):
    how = {"template": desk.template(desk.kits("import torch"), desk.answer("pass"))} if released else {}
    assert isinstance(desk.read("s01.ipynb", desk.notebook(*cells_), **how), Submission)
