"""Files from strangers, of every kind: soon there is code or one clear line, and nothing else comes of them."""

import json
import os
import time

import pytest

from autograder.messages import say
from autograder.model import LANGUAGES, Note
from autograder.notebooks import cells, guess_assignment, trouble_with, written
from autograder.notebooks.cells import Unreadable, read_bytes

RIGHT = "def softmax(scores):\n    return scores.softmax(-1)\n"
SECONDS = 15  # of the processor; the slowest takes two where nothing else runs
DEEP = 100_000
HUGE = 3 << 30  # bytes, of which none lies on the disk


def code(source=RIGHT, **more):
    return {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source} | more


def notebook(*cells_, **more):
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells_)} | more)


def marked(grade_id, **more):
    nbgrader = {"grade_id": grade_id, "solution": True, "grade": False, "locked": False, "schema_version": 3} | more
    return notebook(code(metadata={"nbgrader": nbgrader}))


def every(change):
    """A notebook as handed out, with the answer, each cell changed."""
    kit = {"nbgrader": {"grade_id": "imports", "solution": False, "grade": False, "locked": True, "schema_version": 3}}
    cells_ = [code("import torch", metadata=kit), json.loads(marked("softmax"))["cells"][0]]
    return notebook(*[cell | change for cell in cells_])


OUTPUT = {"output_type": "stream", "name": "stdout", "text": "x" * (cells.MAX_FILE - 10_000)}
READ = {
    "bytes order mark": "\ufeff" + notebook(code()),
    "nan": notebook(code(), metadata={"a": float("nan"), "b": float("-inf")}),
    "keys twice": '{"cells": [], "nbformat": 3, "nbformat": 4, "cells": [' + json.dumps(code()) + "]}",
    "source twice": '{"cells": [{"cell_type": "code", "source": "pass", "source": ' + json.dumps(RIGHT) + "}]}",
    "null byte": notebook(code("x = '\0'"), code()),
    "half a character": notebook(code("x = '\ud800'"), code()),
    "large outputs": notebook(code(outputs=[OUTPUT])),
    "deep outputs": notebook(code(outputs="DEEP")).replace('"DEEP"', "[" * 900 + "]" * 900),
    "attachments": every({"attachments": {"../../x.png": {"image/png": "A" * 100_000}}}),
    "another language": notebook(code(), metadata={"kernelspec": {"name": "ir", "argv": ["sh", "-c", "exit"]}}),
    "odd assignment": notebook(code(), metadata={"attn": {"assignment": "../../etc", "version": 10**30}}),
    "odd metadata": notebook(code(), metadata=[["attn"]]),
    "no metadata": every({"metadata": None}),
    "heading": every({"cell_type": "heading"}),
    "no cell type": every({"cell_type": None}),
    "listed cell type": every({"cell_type": ["code"]}),
    "format as text": notebook(code(), nbformat="4"),
    "format as truth": notebook(code(), nbformat=True),
    "format as fraction": notebook(code(), nbformat=4.0),
    "forged check": marked("check-softmax", grade=True, points=1000),
    "escapes in a name": marked("\x1b[31m\u202esoftmax"),
    "path as a name": marked("../../softmax"),
    "tags as a name": marked("softmax\n<script>"),
    "long name": marked("softmax" * 100_000),
    "half a character in a name": marked("softmax\ud800"),
    "list as a name": marked(["softmax"]),
    "same name throughout": notebook(*json.loads(marked("softmax"))["cells"] * 1000),
    "many magics": notebook(*[code("%%bash\nrm -rf /")] * 2000, code()),
    "many questions": notebook(code("torch?\n" * 9000), code()),
    "quotes": notebook(code("'" * 60_000 + "\n%x"), code()),
    "equals": notebook(code("a = " * 15_000 + "!ls"), code()),
    "blanks": notebook(code("x" + " " * 60_000 + "= !ls\n)"), code()),
    "reversed text": notebook(code("# \u202e\u2066 x\n" + RIGHT)),
}
SCRIPTS_READ = {
    "carriage returns": RIGHT.replace("\n", "\r"),
    "form feeds": RIGHT.replace("\n", "\x0c\n"),
    "line separators": RIGHT + "# a\u2028b\u0085c\n",
    "a notebook": notebook(code()),
    "a notebook after blanks": "\n  " + notebook(code()),
    "open mark": '# %% nbgrader={"grade_id": "' + "[" * 60_000 + "\n" + RIGHT,
    "deep mark": "# %% nbgrader=" + '{"a":' * 12_000 + "\n" + RIGHT,
    "many markers": "# %%\nx = 1\n" * 4000 + "# %%\n" + RIGHT,
    "long sum": "x = 1" + "+1" * 500 + "\n" + RIGHT,
    "nasty f-string": "y = lambda x: f'" + "{x}" * 15_000 + "'\n" + RIGHT,
}
PROBLEMS = {
    "deep lists": ("too-deep", "[" * DEEP),
    "deep tables": ("too-deep", '{"cells":' * DEEP),
    "deep outputs": ("too-deep", notebook(code(outputs="DEEP")).replace('"DEEP"', "[" * DEEP + "]" * DEEP)),
    "million cells": ("too-large", '{"cells":[' + ",".join(["{}"] * 10**6) + "]}"),
    "empty cells": ("too-many-parts", '{"cells":[' + "{}," * (cells.MAX_FILE // 3 - 10) + "{}]}"),
    "empty lists": ("too-many-parts", '{"cells":[' + "[[]]," * (cells.MAX_FILE // 5 - 10) + "[]]}"),
    "empty tables": ("too-many-parts", '{"cells":[' + '{"":[]},' * (cells.MAX_FILE // 8 - 10) + "{}]}"),
    "million digits": ("not-json", '{"cells":' + "1" * 10**7 + "}"),
    "million decimals": ("not-a-notebook", '{"cells":0.' + "1" * 10**7 + "}"),
    "infinite": ("not-a-notebook", '{"cells":1e' + "9" * 10**6 + "}"),
    "long text": ("too-large", notebook(code("x = '" + "a" * cells.MAX_CELL + "'"))),
    "utf-16": ("not-utf8", notebook(code()).encode("utf-16")),
    "utf-32": ("not-utf8", notebook(code()).encode("utf-32")),
    "latin": ("not-utf8", notebook(code()).encode() + b"\xff"),
    "archive": ("not-json", b"PK\x03\x04" + bytes(100)),
    "picture": ("not-utf8", b"\x89PNG\r\n\x1a\n" + bytes(range(256))),
    "page": ("not-json", "<!DOCTYPE html>"),
    "script": ("not-json", RIGHT),
    "merge conflict": ("not-json", notebook(code()).replace('"cells"', '<<<<<<< HEAD\n"cells"')),
    "half": ("not-json", notebook(code())[:-20]),
    "null bytes outside text": ("not-json", "\0" + notebook(code())),
    "nothing": ("not-a-notebook", "null"),
    "no sources": ("empty", every({"source": None})),
    "odd sources": ("empty", every({"source": [1, None, ["x"], {}]})),
    "old": ("unsupported-nbformat", notebook(code(), nbformat=3)),
    "new": ("unsupported-nbformat", notebook(code(), nbformat=10**30)),
    "below nothing": ("unsupported-nbformat", notebook(code(), nbformat=-1)),
}
SCRIPTS_PROBLEMS = {
    "utf-16": ("not-utf8", RIGHT.encode("utf-16")),
    "another encoding than it says": ("not-utf8", b"# coding: utf-16\n" + RIGHT.encode() + b"#"),
    "an encoding that is no text": ("not-utf8", b"# coding: hex\n" + RIGHT.encode()),
    "a compressed encoding": ("not-utf8", b"# coding: zip\n" + RIGHT.encode()),
    "an archive": ("not-utf8", b"\x1f\x8b\x08" + bytes(300)),
    "long number": ("syntax-error", "x = " + "1" * 60_000),
    "brackets": ("too-large", "x = " + "(" * cells.MAX_CODE),
    "brackets within measure": ("syntax-error", "x = [" * 5000),
    "minus": ("too-deep", "-" * 60_000 + "1"),
    "attributes": ("too-deep", "x = a" + ".b" * 30_000),
    "sum": ("too-deep", "x = 1" + "+1" * 32_000),
    "branches": ("too-deep", "if 0: pass\n" + "elif 0: pass\n" * 4900),
    "lambdas": ("too-deep", "x = " + "lambda: " * 8000 + "1"),
    "indentation": ("syntax-error", "".join(" " * depth + "if 1:\n" for depth in range(300))),
    "merge conflict": ("syntax-error", "<<<<<<< HEAD\n" + RIGHT),
    "escapes": ("syntax-error", "x = (\x1b[2J \u202e"),
    "page": ("syntax-error", "<!DOCTYPE html>"),
    "a broken notebook": ("not-json", notebook(code())[:-20]),
    "too many markers": ("too-large", "# %%\n" * 20_000),
}
IN_NOTEBOOKS = [("s01.ipynb", kind, content) for kind, content in READ.items()]
IN_SCRIPTS = [("s01.py", kind, content) for kind, content in SCRIPTS_READ.items()]
NO_NOTEBOOKS = [("s01.ipynb", kind, *told) for kind, told in PROBLEMS.items()]
NO_SCRIPTS = [("s01.py", kind, *told) for kind, told in SCRIPTS_PROBLEMS.items()]


def by_kind(rows):
    return pytest.mark.parametrize([*"name kind content".split()] if len(rows[0]) == 3 else NAMES, rows, ids=kind_of)


NAMES = ["name", "kind", "problem", "content"]


def kind_of(value):
    """For the id of a test: a content may be megabytes."""
    return value if isinstance(value, str) and len(value) < 40 and value.isprintable() else ""


def looked_at(desk, path):
    """All that a run does with a file: told whose it is, chosen, read. Whatever it is, that takes seconds."""
    template = desk.template(desk.kits("import torch"), desk.answer("def softmax(scores):\n    ..."))
    start = time.process_time()
    written(path)
    guess_assignment(path, {"04_small": ["softmax"], "02_other": ["project"]})
    submission = desk.read_path(path, template=template)
    assert time.process_time() - start < SECONDS
    return submission


@by_kind([*IN_NOTEBOOKS, *IN_SCRIPTS])
def test_code_is_found_whatever_is_around_it(desk, name, kind, content):
    encoded = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    submission = looked_at(desk, desk.write(name, encoded))
    assert submission.problem is None, kind
    assert "def softmax(scores):" in "".join(cell.source for cell in submission.cells).replace("\r", "\n")
    for note in submission.notes:
        assert all(is_one_line(say(note.id, language, **note.with_)) for language in LANGUAGES)


@by_kind([*NO_NOTEBOOKS, *NO_SCRIPTS])
def test_what_holds_no_code_is_one_clear_line(desk, name, kind, problem, content):
    path = desk.write(name, content)
    submission = looked_at(desk, path)
    assert submission.problem is not None, kind
    assert (submission.problem.id, submission.cells) == (problem, ())
    assert trouble_with(path) == submission.problem
    for language in LANGUAGES:
        assert is_one_line(say(problem, language, **submission.problem.with_))


def is_one_line(sentence):
    return sentence.isprintable() and len(sentence) < 250


def test_a_line_that_is_quoted_is_short(desk):
    problem = desk.read("s01.py", "x = (" + "a" * 10_000).problem
    assert problem.id == "syntax-error"
    assert len(problem.with_["text"]) == 120


def test_a_file_of_gigabytes_is_not_read(desk):
    for name in ("s01.py", "s01.ipynb"):
        with desk.write(name, "").open("wb") as file:
            file.truncate(HUGE)
        assert looked_at(desk, desk.folder / name).problem.id == "too-large"


def test_a_notebook_with_a_scripts_name_says_where_it_belongs(desk):
    path = desk.write("s01.py", notebook(code(), metadata={"attn": {"assignment": "04_small"}}))
    assert written(path).assignment == "04_small"
    assert looked_at(desk, path).cells[0].label == "cell 1"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
@pytest.mark.parametrize("becomes", ["pipe", "link", "folder"])
def test_a_file_that_becomes_something_else_is_neither_followed_nor_waited_for(desk, monkeypatch, becomes):
    """Between the look at it and its opening: whoever owns the folder may exchange it."""
    path, secret = desk.write("s01.py", RIGHT), desk.write("secret.py", "secret = 1\n")
    real = type(path).lstat
    make = {"pipe": lambda: os.mkfifo(path), "link": lambda: path.symlink_to(secret), "folder": path.mkdir}[becomes]

    def exchanged(self):
        status = real(self)
        self.unlink()
        make()
        return status

    monkeypatch.setattr(type(path), "lstat", exchanged)
    with pytest.raises(Unreadable) as refused:
        read_bytes(path)
    assert refused.value.note.id == "unreadable-file"


def test_a_file_that_grows_while_it_is_read_is_cut_off(desk, monkeypatch):
    monkeypatch.setattr(cells, "MAX_FILE", 10)
    path = desk.write("s01.py", " " * 11)
    real, small = type(path).lstat, desk.write("small.py", "").lstat()
    monkeypatch.setattr(type(path), "lstat", lambda self: small if self == path else real(self))
    assert trouble_with(path) == Note("too-large", {"limit": 10})


def test_a_file_without_the_right_to_read_it_is_a_problem(desk, monkeypatch):
    """Root may read everything, so that the system's refusal is acted."""
    path = desk.write("s01.py", RIGHT)

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.open", refuse)
    assert trouble_with(path) == Note("unreadable-file", {"text": "Permission denied"})
