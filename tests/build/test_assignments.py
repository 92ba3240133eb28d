"""What is in assignments/: fresh, valid for Jupyter and nbgrader, alike in all languages, and free of answers."""

import ast
import re
import unicodedata
from pathlib import Path

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator

from autograder.build import stale
from autograder.content import assignment_names, load
from autograder.graders import grade, prepare
from autograder.notebooks import read
from autograder.notebooks.cells import raw_cells
from autograder.sandbox.host import Host

ROOT = Path(__file__).resolve().parents[2]
ASSIGNMENTS = assignment_names(ROOT / "solutions")


@pytest.fixture(scope="module")
def host():
    with Host() as host:
        host.start()
        yield host


@pytest.fixture(scope="module")
def kits():
    return {name: prepare(load(ROOT / "solutions" / name)) for name in ASSIGNMENTS}


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_what_is_committed_is_what_attn_build_makes(name):
    assert not stale(ROOT / "solutions" / name, ROOT / "assignments" / name)


def test_every_language_of_every_assignment_is_there(built):
    stem = built.authored.name.partition("_")[2]
    folder = ROOT / "assignments" / built.authored.name
    for name in (f"{stem}.ipynb", f"{stem}.ja.ipynb", f"{stem}.py", f"{stem}.ja.py"):
        assert (folder / name).is_file()


def test_a_notebook_is_valid_for_jupyter_and_nbgrader(built):
    notebook = nbformat.reads(built.path.read_text(encoding="utf-8"), as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    MetadataValidator().validate_nb(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.metadata.attn == {
        "assignment": built.authored.name,
        "version": load(built.authored).version,
        "language": built.language,
    }


def test_the_languages_have_the_same_cells(built, built_named):
    other = built_named(built.path.name.replace(".ja.", "."))
    same = [(cell["id"], cell["cell_type"], cell["metadata"]) for cell in other.cells]
    assert [(cell["id"], cell["cell_type"], cell["metadata"]) for cell in built.cells] == same


def test_each_function_has_an_answer_cell_and_a_locked_check_worth_its_points(built):
    for spec in load(built.authored).functions:
        answer, check = built.marks(spec.name), built.marks(f"check-{spec.name}")
        assert (answer["solution"], answer["grade"], answer["locked"]) == (True, False, False)
        assert (check["solution"], check["grade"], check["locked"]) == (False, True, True)
        assert check["points"] == spec.points
        source = next(cell["source"] for cell in built.cells if cell["id"] == f"check-{spec.name}")
        assert source == f"check({spec.name})"


def test_all_else_is_locked_but_what_the_learner_writes(built):
    names = {spec.name for spec in load(built.authored).functions}
    for cell in built.cells:
        marks, id_ = cell["metadata"].get("nbgrader"), cell["id"]
        if id_.startswith("ask-"):
            assert marks is None
        elif id_.startswith("write-"):
            assert cell["cell_type"] == "markdown"
            assert (marks["solution"], marks["grade"], marks["locked"], marks["points"]) == (True, True, False, 0)
        elif id_ not in names and not id_.startswith("check-"):
            assert (marks["solution"], marks["grade"], marks["locked"]) == (False, False, True)
        assert marks is None or marks["grade_id"] == id_


def test_the_lesson_is_opened_by_the_first_code_cell(built):
    first = next(cell for cell in built.cells if cell["cell_type"] == "code")
    assert first["id"] == "lesson-setup"
    assert "from autograder.learn import lesson\n" in first["source"]
    assert first["source"].endswith(f'check, ask = lesson("{built.authored.name}", language="{built.language}")')


def test_a_lesson_ends_with_a_question_to_answer_in_ones_own_words(built):
    *_, write, outlook = built.cells
    assert write["id"].startswith("write-")
    assert outlook["cell_type"] == "markdown"


def columns(text):
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def test_no_line_of_code_runs_out_of_its_cell(built):
    code = [cell["source"] for cell in built.cells if cell["cell_type"] == "code"]
    assert not [line for source in code for line in source.split("\n") if columns(line) > 100]


def test_japanese_is_never_slanted(built):
    """There are no italics in Japanese: browsers tilt upright characters, which looks like a fault of the page."""
    prose = [cell["source"] for cell in built.cells if cell["cell_type"] == "markdown"]
    slanted = re.compile(r"(?<!\*)\*(?![\s*])[^*\n]*[\u3040-\u9fff][^*\n]*\*(?!\*)")
    assert not [found[0] for source in prose for found in slanted.finditer(source)]


def test_the_script_holds_the_same_cells(built):
    script = built.path.with_suffix(".py")
    _, *written = raw_cells(script.read_bytes(), script.name)  # the first is what stands above all cells
    shown = raw_cells(built.path.read_bytes(), built.path.name)
    assert [(cell.is_code, cell.mark) for cell in written] == [(cell.is_code, cell.mark) for cell in shown]
    for cell, same in zip(written, shown, strict=True):
        lines = cell.source.strip("\n").split("\n")
        plain = lines if cell.is_code else [line.removeprefix("#").removeprefix(" ") for line in lines]
        assert "\n".join(plain) == same.source


def test_a_script_can_be_loaded_as_python(built):
    ast.parse(built.path.with_suffix(".py").read_text(encoding="utf-8"))


def lines_of_bodies(source):
    """What the reference does, line by line, without comments and documentation; what a stub has too is left out."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            first = node.body[1 if ast.get_docstring(node) else 0]
            lines = source.split("\n")[first.lineno - 1 : node.end_lineno]
            yield from (line.partition("#")[0].strip() for line in lines)


def test_no_line_of_the_reference_is_in_what_learners_get(built):
    lines = lines_of_bodies((built.authored / "solution.py").read_text(encoding="utf-8"))
    secret = {line for line in lines if len(line) >= 8} - {"super().__init__()"}
    assert len(secret) > 8
    texts = {file.name: file.read_text(encoding="utf-8") for file in built.path.parent.iterdir()}
    texts["cells"] = "\n".join(cell["source"] for cell in built.cells)  # a notebook's JSON escapes quotes
    assert not [(name, line) for name, text in texts.items() for line in secret if line in text]


def test_what_is_handed_out_passes_nothing(built, kits, host):
    kit = kits[built.authored.name]
    report = grade(kit, read(built.path, kit.assignment, template=built.path), host)
    assert report.status == "graded"
    assert {test.status for test in report.tests} == {"skipped"}
    assert (report.score, report.findings) == (0, ())


def test_with_the_references_answers_everything_passes(built, kits, host, tmp_path):
    kit = kits[built.authored.name]
    report = grade(kit, read(built.solved(tmp_path), kit.assignment, template=built.path), host)
    assert report.problem is None
    assert {test.status for test in report.tests} == {"passed"}
    assert report.score == report.max_score
