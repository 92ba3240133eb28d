"""IPython's own lines do no harm, and every line stays where it is."""

import ast

import pytest

from autograder.model import Note


def cleaned(desk, source):
    (cell,) = desk.read_cells(desk.code(source)).cells
    return cell.source


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("%matplotlib inline", "pass"),
        ("%load_ext autoreload", "pass"),
        ("!pip install 'torch", "pass"),
        ("!!ls", "pass"),
        ("pip install torch", "pass"),
        ("softmax?", "pass"),
        ("torch.softmax??", "pass"),
        ("?softmax", "pass"),
        ("??softmax", "pass"),
        ("%time softmax(y)", "softmax(y)"),
        ("%time y = softmax(y)", "y = softmax(y)"),
        ("%timeit softmax(y)", "pass"),
        ("%time", "pass"),
        ("files = !ls", "files = []"),
        ("y = %time softmax(y)", "y = softmax(y)"),
        ("where = %pwd", "where = None"),
        ("%time %pwd", "pass"),
    ],
)
@pytest.mark.parametrize("indent", ["", "    ", "\t"])
def test_a_line_of_ipythons_is_harmless_at_its_indentation(desk, line, instead, indent):
    before = f"if x:\n{indent}{line}\n" if indent else f"{line}\n"
    after = f"if x:\n{indent}{instead}\n" if indent else f"{instead}\n"
    assert cleaned(desk, f"{before}y = 2\n") == f"{after}y = 2\n"


def test_a_shell_line_that_goes_on_is_harmless_as_a_whole(desk):
    assert cleaned(desk, "!pip install \\\n  torch \\\n  numpy\nx = 1") == "pass\n\n\nx = 1"


@pytest.mark.parametrize(
    "kept",
    [
        "x = (a\n  % b)",
        "x = a \\\n  % b",
        'x = """\n%matplotlib inline\n!ls\nwhat?\n"""',
        "x = '''it's\n%d''' % 3",
        "x = [  # (\n  '(',\n  %s\n]".replace("%s", "3 % 2"),
        "x = 'a' 'b'''\ny = 1",
        "x = 'a\\'\\\n%d' % 3",
        "# a question?\nx = 1",
        "assert x != 1",
        "x = '!ls'\ny = f'{x!r}'",
    ],
)
def test_percent_in_expressions_and_strings_stays(desk, kept):
    ast.parse(kept)
    assert cleaned(desk, kept) == kept
    assert cleaned(desk, f"%matplotlib inline\n{kept}\n!ls") == f"pass\n{kept}\npass"


def test_what_is_python_is_not_touched(desk):
    source = "x = 1\r\n\n\ndef f():\n\treturn x  # 50 %\n"
    assert cleaned(desk, source) == source.replace("\r", "")


@pytest.mark.parametrize("magic", ["%%time", "%%capture out", "%%capture\n%%time", "%%prun -q", "\n\n%%time"])
def test_a_cell_magic_that_runs_its_body_keeps_it_at_its_lines(desk, magic):
    lines = magic.count("\n") + 1
    assert (
        cleaned(desk, f"{magic}\ndef f():\n    !ls\n    return 1") == "\n" * lines + "def f():\n    pass\n    return 1"
    )


@pytest.mark.parametrize("magic", ["bash", "html", "writefile solution.py", "timeit", "javascript", "!"])
def test_a_cell_magic_that_does_not_define_anything_drops_its_body(desk, magic):
    submission = desk.read_cells(desk.code(f"%%{magic}\nx = 1"), desk.code("y = 2"))
    assert [cell.source for cell in submission.cells] == ["y = 2"]
    assert submission.notes == (Note("note-magic-dropped", {"cell": "cell 1", "magic": magic.split()[0]}),)


def test_a_cell_magic_inside_another_drops_its_body_too(desk):
    submission = desk.read_cells(desk.code("%%capture\n%%bash\nls"), desk.code("y = 2"))
    assert [cell.source for cell in submission.cells] == ["y = 2"]


def test_a_plain_script_may_hold_magics(desk):
    submission = desk.read("s01.py", "%matplotlib inline\n!pip install torch\nx = 1\n")
    assert (submission.problem, submission.cells[0].source) == (None, "pass\npass\nx = 1\n")


def test_a_cell_magic_may_follow_a_percent_scripts_marker(desk):
    (cell,) = desk.read("s01.py", "# %%\n%%time\nx = 1\n").cells
    assert (cell.first_line, cell.source) == (1, "\n\nx = 1\n")


def test_a_real_syntax_error_stays_one(desk):
    assert cleaned(desk, "%matplotlib inline\nx = (\n") == "pass\nx = (\n"


def test_cell_magics_beyond_number_are_taken_one_after_the_other(desk):
    source = "%%time\n" * 5_000
    assert cleaned(desk, source + "x = 1").strip() == "x = 1"
    assert cleaned(desk, source + "!ls\nx = 1").strip() == "pass\nx = 1"


def test_a_note_repeats_no_endless_name_of_a_magic(desk):
    [note] = desk.read_cells(desk.code("%%" + "m" * 10_000), desk.code("x = 1")).notes
    assert note == Note("note-magic-dropped", {"cell": "cell 1", "magic": "m" * 40})
