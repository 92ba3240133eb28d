"""Small notebooks and scripts, as learners hand them in."""

import json
from pathlib import Path

import pytest

from autograder.model import Assignment
from autograder.notebooks import read


def code(source, **nbgrader):
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {"nbgrader": nbgrader} if nbgrader else {},
        "outputs": [],
        "source": source,
    }


def text(source, **nbgrader):
    return {"cell_type": "markdown", "metadata": {"nbgrader": nbgrader} if nbgrader else {}, "source": source}


def answer(source, name="softmax"):
    return code(source, grade_id=name, solution=True, locked=False, grade=False, schema_version=3)


def kits(source, name="imports"):
    return code(source, grade_id=name, solution=False, locked=True, grade=False, schema_version=3)


def check(source, name="check-softmax"):
    return code(source, grade_id=name, solution=False, locked=True, grade=True, points=4, schema_version=3)


def notebook(*cells, **keys):
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | keys)


class Desk:
    """Where files are handed in and read."""

    code, text, answer, kits, check, notebook = map(staticmethod, (code, text, answer, kits, check, notebook))

    def __init__(self, folder: Path):
        self.folder = folder
        self.assignment = Assignment("04_small", folder, 1, 60, (), (), {}, "", {})

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    def read(self, name, content, **how):
        return self.read_path(self.write(name, content), **how)

    def read_path(self, path, **how):
        return read(path, self.assignment, **how)

    def read_cells(self, *cells, **how):
        """What is read from a notebook of these cells."""
        return self.read("s01.ipynb", notebook(*cells), **how)

    def template(self, *cells):
        return self.write("kit/04_small.ipynb", notebook(*cells))


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)
