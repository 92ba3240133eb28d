"""Notebooks and scripts become cells of code: whose they are, in which order, and at which line they start."""

import hashlib

import pytest

from autograder.model import Cell, ContentError, Note
from autograder.notebooks import read

ANSWER = "def softmax(x):\n    return x.softmax(-1)"
STUB = "def softmax(x):\n    raise NotImplementedError()"


def sources(submission):
    return [cell.source for cell in submission.cells]


# ---- scripts


def test_a_plain_script_is_one_cell(desk):
    submission = desk.read("s01.py", "import torch\n\nx = '# %% no'\n")
    assert submission.cells == (Cell("s01.py", "import torch\n\nx = '# %% no'\n"),)
    assert (submission.student, submission.assignment, submission.problem) == ("s01", "04_small", None)


def test_the_student_is_the_stem_unless_told(desk):
    path = desk.write("s01.v2.py", "x = 1\n")
    assert read(path, desk.assignment).student == "s01.v2"
    assert read(path, desk.assignment, student="花子").student == "花子"


def test_the_digest_is_of_the_bytes_handed_in(desk):
    content = b"\xef\xbb\xbfx = 1\r\n"
    submission = desk.read("s01.py", content)
    assert submission.sha256 == hashlib.sha256(content).hexdigest()
    assert sources(submission) == ["x = 1\n"]


def test_a_script_may_say_its_encoding(desk):
    assert sources(desk.read("s01.py", "# coding: cp932\nx = '猫'\n".encode("cp932")))[0].endswith("x = '猫'\n")


def test_a_percent_script_is_split_at_its_markers(desk):
    script = "import torch\n# %%\nx = 1\ny = 2\n#%% [markdown]\n# prose is (not code\n# %% title\nz = 3\n"
    cells = desk.read("s01.py", script).cells
    assert [(cell.first_line, cell.source.strip()) for cell in cells] == [
        (1, "import torch"),
        (2, "x = 1\ny = 2"),
        (7, "z = 3"),
    ]
    assert {cell.label for cell in cells} == {"s01.py"}


def test_lines_of_a_percent_script_are_those_of_the_file(desk):
    script = "# %%\nx = 1\n# %%\n\ny = (\n"
    last = desk.read("s01.py", script).cells[-1]
    assert last.source.split("\n")[5 - last.first_line] == "y = ("


def test_a_script_that_nbconvert_wrote_has_cells_too(desk):
    script = "#!/usr/bin/env python\n\n# In[1]:\n\nx = 1\n\n# In[ ]:\n\ny = (\n"
    assert [cell.first_line for cell in desk.read("s01.py", script).cells] == [1, 3, 7]


def test_a_syntax_error_spares_the_other_cells_of_a_percent_script(desk):
    submission = desk.read("s01.py", "# %%\nx = (\n# %%\ny = 2\n")
    assert submission.problem is None
    assert [source.strip() for source in sources(submission)] == ["x = (", "y = 2"]


def test_a_marker_inside_a_string_begins_no_cell(desk):
    script = '# %%\nx = """\n# %%\n"""\n'
    assert sources(desk.read("s01.py", script)) == ['\nx = """\n# %%\n"""\n']


def test_a_commented_cell_magic_begins_no_cell(desk):
    assert len(desk.read("s01.py", "# %%\nx = 1\n# %%bash\n# ls\ny = 2\n").cells) == 1


def test_a_percent_script_carries_nbgraders_marks(desk):
    script = (
        '# %% nbgrader={"grade": false, "grade_id": "imports", "locked": true, "solution": false}\nimport torch\n'
        f'# %% nbgrader={{"grade_id": "softmax", "locked": false, "solution": true}}\n{ANSWER}\n'
        '# %% nbgrader={"broken"\nx = 1\n'
    )
    cells = desk.read("s01.py", script).cells
    assert [(cell.source.strip(), cell.graded) for cell in cells] == [
        ("import torch", False),
        (ANSWER, True),
        ("x = 1", True),
    ]


def test_an_unknown_escape_in_a_string_is_no_fault(desk):
    assert desk.read("s01.py", "x = '\\d'\n").problem is None


# ---- notebooks


def test_code_cells_come_in_order_with_the_number_of_their_prompt(desk):
    cells = desk.read_cells(desk.code("x = 1"), desk.text("# prose"), desk.code(["y = 2\n", "z = 3"])).cells
    assert cells == (Cell("cell 1", "x = 1"), Cell("cell 2", "y = 2\nz = 3"))


@pytest.mark.parametrize("minor", range(6))
def test_every_minor_version_of_format_4_is_read(desk, minor):
    content = desk.notebook(desk.code("x = 1") | {"id": "a"}, nbformat_minor=minor)
    assert sources(desk.read("s01.IPYNB", content)) == ["x = 1"]


def test_a_byte_order_mark_and_windows_lines_change_nothing(desk):
    content = b"\xef\xbb\xbf" + desk.notebook(desk.code("x = 1\r\ny = 2\r")).encode()
    assert sources(desk.read("s01.ipynb", content)) == ["x = 1\ny = 2\n"]


def test_a_cell_that_was_pasted_with_its_indentation_runs_as_in_a_notebook(desk):
    assert sources(desk.read_cells(desk.code("\n    def f():\n        return 1\n\n    x = 1"))) == [
        "\ndef f():\n    return 1\n\nx = 1"
    ]
    assert desk.read("s01.py", "    x = 1\n").problem == Note("syntax-error", {"line": 1, "text": "x = 1"})


def test_half_a_surrogate_pair_is_replaced(desk):
    assert sources(desk.read_cells(desk.code("x = '\ud83d'"))) == ["x = '\ufffd'"]


def test_a_syntax_error_spares_the_other_cells_of_a_notebook(desk):
    submission = desk.read_cells(desk.code("x = ("), desk.code("y = 2"))
    assert (submission.problem, sources(submission)) == (None, ["x = (", "y = 2"])


@pytest.mark.parametrize("metadata", [None, 3, {"nbgrader": None}, {"nbgrader": {}}, {"nbgrader": {"grade_id": 3}}])
def test_odd_metadata_marks_nothing(desk, metadata):
    assert sources(desk.read_cells(desk.code("x = 1") | {"metadata": metadata})) == ["x = 1"]


def test_without_a_template_the_kits_cells_are_run_where_they_stand_and_are_nobodys_fault(desk):
    submission = desk.read_cells(
        desk.kits("import torch"), desk.answer(ANSWER), desk.check("check('softmax')"), desk.code("x = 1")
    )
    assert submission.cells == (
        Cell("cell 1", "import torch", graded=False),
        Cell("cell 2", ANSWER),
        Cell("cell 3", "check('softmax')", graded=False),
        Cell("cell 4", "x = 1"),
    )
    assert submission.notes == ()


def test_a_cell_that_is_graded_and_answered_is_the_learners(desk):
    cell = desk.code("x = 1", grade_id="explain", solution=True, grade=True, locked=False)
    assert sources(desk.read_cells(cell)) == ["x = 1"]


# ---- with the kit's own copy


def kit(desk):
    return desk.template(
        desk.text("# Softmax", grade_id="intro", locked=True, solution=False, grade=False),
        desk.kits("import torch"),
        desk.answer(STUB),
        desk.check("check('softmax')"),
        desk.answer("raise NotImplementedError", "scores"),
    )


def test_the_kits_cells_come_from_our_copy(desk):
    submission = desk.read_cells(
        desk.kits("import torch; torch.allclose = lambda *_: True"),
        desk.answer(ANSWER),
        desk.check("pass"),
        desk.answer("scores = 1", "scores"),
        template=kit(desk),
    )
    assert submission.cells == (
        Cell("imports", "import torch", graded=False),
        Cell("cell 2", ANSWER),
        Cell("check-softmax", "check('softmax')", graded=False),
        Cell("cell 4", "scores = 1"),
    )
    assert submission.notes == ()


def test_the_kits_cells_that_are_gone_stand_where_they_belong(desk):
    submission = desk.read_cells(
        desk.code("x = 1"), desk.answer(ANSWER), desk.answer("s = 1", "scores"), template=kit(desk)
    )
    assert sources(submission) == ["import torch", "x = 1", ANSWER, "check('softmax')", "s = 1"]


def test_the_kits_cells_stand_once_and_where_the_learner_put_them(desk):
    submission = desk.read_cells(
        desk.answer("s = 1", "scores"),
        desk.answer(ANSWER),
        desk.kits("1"),
        desk.kits("2"),
        desk.check("3"),
        template=kit(desk),
    )
    assert sources(submission) == ["s = 1", ANSWER, "import torch", "check('softmax')"]


def test_forged_marks_change_nothing(desk):
    forged = desk.answer("check = lambda name: print('full marks')", "check-softmax")
    locked = desk.kits(ANSWER, "softmax")
    submission = desk.read_cells(desk.kits(""), locked, forged, desk.answer("s = 1", "scores"), template=kit(desk))
    assert [(cell.source, cell.graded) for cell in submission.cells] == [
        ("import torch", False),
        (ANSWER, True),
        ("check('softmax')", False),
        ("s = 1", True),
    ]


def test_a_missing_answer_is_noted(desk):
    submission = desk.read_cells(desk.answer(ANSWER), template=kit(desk))
    assert submission.notes == (Note("note-answer-missing", {"cell": "scores"}),)


def test_a_kits_cell_of_another_version_is_left_out_and_noted(desk):
    submission = desk.read_cells(
        desk.answer(ANSWER), desk.answer("s = 1", "scores"), desk.check("check('old')", "check-old"), template=kit(desk)
    )
    assert "check('old')" not in sources(submission)
    assert submission.notes == (Note("note-kit-cell-unknown", {"cell": "check-old"}),)


def test_a_template_that_cannot_be_read_is_our_fault(desk):
    path = desk.write("kit/04_small.ipynb", "{")
    with pytest.raises(ContentError, match="cannot be read: not-json"):
        desk.read_cells(desk.code("x = 1"), template=path)


# ---- copies


@pytest.mark.parametrize("spare", ["", "  \n", STUB, "# YOUR CODE HERE\nraise NotImplementedError()"])
@pytest.mark.parametrize("order", [1, -1])
def test_an_unwritten_copy_does_not_undo_the_answer(desk, spare, order):
    submission = desk.read_cells(*[desk.answer(ANSWER), desk.answer(spare)][::order])
    assert sources(submission) == [ANSWER]
    assert submission.notes == (Note("note-answer-twice", {"cell": "softmax"}),)


def test_a_copy_as_handed_out_does_not_undo_the_answer(desk):
    template = desk.template(desk.answer("softmax = None"))
    assert sources(desk.read_cells(desk.answer(ANSWER), desk.answer("softmax = None\n"), template=template)) == [ANSWER]


def test_an_answer_that_was_split_keeps_both_halves(desk):
    submission = desk.read_cells(desk.answer("def helper(x):\n    return x"), desk.answer(ANSWER))
    assert sources(submission) == ["def helper(x):\n    return x", ANSWER]


def test_of_two_written_copies_the_later_has_the_last_word(desk):
    assert sources(desk.read_cells(desk.answer("softmax = 1"), desk.answer("softmax = 2")))[-1] == "softmax = 2"


def test_where_no_copy_is_written_nothing_is_lost(desk):
    assert sources(desk.read_cells(desk.answer(STUB), desk.answer(STUB))) == [STUB, STUB]


def test_an_answer_turned_into_text_is_code_all_the_same(desk):
    turned = desk.text(ANSWER, grade_id="softmax", solution=True, locked=False, grade=False)
    noted = (Note("note-answer-not-code", {"cell": "softmax"}),)
    by_template = desk.read_cells(turned, template=desk.template(desk.answer(STUB)))
    assert (sources(by_template), by_template.notes) == ([ANSWER], noted)
    turned["metadata"]["nbgrader"]["cell_type"] = "code"
    alone = desk.read_cells(turned, desk.code("x = 1"))
    assert (sources(alone), alone.notes) == ([ANSWER, "x = 1"], noted)


def test_an_answer_in_words_stays_words(desk):
    words = desk.text("Softmax turns scores into weights.", grade_id="why", solution=True, grade=True, locked=False)
    submission = desk.read_cells(words, desk.code("x = 1"))
    assert (sources(submission), submission.notes) == (["x = 1"], ())
