"""A learner's kit without `solutions/`: the built packs and visible tests alone, and notebooks to work in."""

from __future__ import annotations

import shutil
import sys
import types
from pathlib import Path

import pytest

from autograder.learn.pack import FILE, TESTS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def solutions():
    """Each reference's text."""
    return {folder.name: read(folder / "solution.py") for folder in sorted((ROOT / "solutions").glob("0*"))}


@pytest.fixture
def kit(tmp_path, monkeypatch):
    """A folder with nothing but `assignments/`, in which the learner stands."""
    for built in sorted((ROOT / "assignments").glob("0*")):
        folder = tmp_path / "assignments" / built.name
        folder.mkdir(parents=True)
        for file in (FILE, TESTS):
            shutil.copy(built / file, folder / file)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def notebook(monkeypatch):
    """Opens a notebook; what it gives runs a cell in it."""

    def opened(**names):
        module = types.ModuleType("a_notebook")
        monkeypatch.setitem(sys.modules, "a_notebook", module)
        module.__dict__.update(names)
        return lambda cell: exec(cell, module.__dict__)

    return opened


def read(path):
    """A file's text."""
    return path.read_text(encoding="utf-8")
