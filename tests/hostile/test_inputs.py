"""Files that nobody should hand in: each gets a report, none is run where it lies, and right code keeps its points."""

import json
import os
import time
import zipfile
from pathlib import Path

import pytest

from autograder.course.batch import Settings, grade_class
from autograder.course.submitted import HandIn
from autograder.messages import say
from autograder.sandbox.host import Host

RIGHT = (Path(__file__).parent / "honest" / "ada.py").read_text(encoding="utf-8")
CODE = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": RIGHT}
HUGE = 3 << 30  # bytes, of which none lies on the disk


def notebook(cells, **metadata):
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells})


def write(path, content):
    path.write_bytes(content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content)


def sparse(path):
    with path.open("wb") as file:
        file.truncate(HUGE)


def write_archive(path, name):
    """A bomb, and a name that leads out of the folder."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, bytes(50 << 20))


EVIL_KERNEL = {"kernelspec": {"name": "x", "argv": ["/bin/sh", "-c", "touch attn-escaped-kernel"], "language": "sh"}}
SCRIPT = {"data": {"text/html": "<script>alert(1)</script>"}, "output_type": "display_data", "metadata": {}}
UNREADABLE = {
    "deep.ipynb": lambda path: write(path, "[" * 200_000),
    "deep_cells.ipynb": lambda path: write(path, '{"cells":' * 50_000),
    "deep_code.py": lambda path: write(path, "x = " + "(" * 100_000 + ")" * 100_000),
    "huge.ipynb": sparse,
    "huge.py": sparse,
    "lists.ipynb": lambda path: write(path, notebook([], x=[[]] * 5_000_000)),
    "f_string.py": lambda path: write(path, "y = lambda x: f'" + "{x}" * 25_000 + "'\n" + RIGHT),
    "half.ipynb": lambda path: write(path, '{"cells": ['),
    "nulls.py": lambda path: write(path, b"\0" * 1000),
    "link.py": lambda path: path.symlink_to("/etc/passwd"),
    "endless.py": lambda path: path.symlink_to("/dev/zero"),
    "pipe.py": os.mkfifo,
    "folder.py": Path.mkdir,
    "gone.py": lambda path: None,
    "many_cells.ipynb": lambda path: write(path, notebook([{"cell_type": "code", "source": ""}] * 200_000)),
    "list.ipynb": lambda path: write(path, "[]"),
    "archive.ipynb": lambda path: write_archive(path, "../attn-escaped.ipynb"),
    "archive.py": lambda path: write_archive(path, "/tmp/attn-escaped.py"),
    "number.ipynb": lambda path: write(path, "1e999999"),
}
GRADED = {
    "kernel.ipynb": lambda path: write(path, notebook([CODE], **EVIL_KERNEL)),
    "outputs.ipynb": lambda path: write(path, notebook([CODE | {"outputs": [SCRIPT] * 1000}])),
    "odd.ipynb": lambda path: write(path, notebook([CODE, None, 7, {"cell_type": [], "source": {}}, {}])),
    "latin.py": lambda path: write(path, "# -*- coding: latin-1 -*-\n# \udce9t\udce9\n" + RIGHT),
    "\x1b[2J\u202egnp.\n;rm -rf.py": lambda path: write(path, RIGHT),
    "=1+1,@x.py": lambda path: write(path, RIGHT),
    "con.py": lambda path: write(path, RIGHT),
    "..py": lambda path: write(path, RIGHT),
}
BESIDE = ("torch.py", "numpy.py", "msgspec.py", "sitecustomize.py", "conftest.py", "autograder.py", "pytest.ini")


@pytest.fixture(scope="module")
def graded(assignment, tmp_path_factory):
    folder, out = tmp_path_factory.mktemp("class"), tmp_path_factory.mktemp("out")
    for name, make in (UNREADABLE | GRADED).items():
        make(folder / name)
    for name in BESIDE:
        write(folder / name, f"open({str(folder / 'attn-escaped-beside')!r}, 'w')\nraise SystemExit(0)\n")
    write(folder / "ada.py", RIGHT)
    names = [*UNREADABLE, *GRADED, "ada.py"]
    hand_ins = [HandIn(str(number), folder / name, assignment.name) for number, name in enumerate(names)]
    before, started = Path.cwd(), time.monotonic()
    os.chdir(folder)
    try:
        with Host() as host:
            done = grade_class(hand_ins, {assignment.name: assignment}, host, Settings(out=out))
    finally:
        os.chdir(before)
    assert not list(folder.glob("attn-escaped*"))
    assert time.monotonic() - started < 60
    assert len(list(out.rglob("*.json"))) == len(names)
    return dict(zip(names, done.reports, strict=True))


@pytest.mark.parametrize("name", UNREADABLE, ids=ascii)
def test_what_cannot_be_read_is_said_to_be(graded, name):
    report = graded[name]
    assert (report.status, report.score) == ("unreadable", 0.0), report.problem
    for language in ("en", "ja"):
        assert say(report.problem.id, language, **report.problem.with_).replace("\n", "").isprintable()


@pytest.mark.parametrize("name", [*GRADED, "ada.py"], ids=ascii)
def test_what_is_odd_around_right_code_costs_nothing(graded, name):
    assert (graded[name].status, graded[name].score) == ("graded", 20.0), graded[name]


@pytest.mark.parametrize("name", ["lists.ipynb", "f_string.py"])
def test_what_takes_long_to_read_is_not_read(graded, name):
    assert graded[name].problem.id == "too-large"
