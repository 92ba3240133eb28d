"""`attn` in this process, and a small class."""

import importlib
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOLUTION = (ROOT / "solutions" / "04_masked_softmax" / "solution.py").read_text(encoding="utf-8")


@dataclass
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str


class _StaysOpen:
    """A sandbox host that one test hands on to the next: starting one takes as long as importing torch."""

    def __init__(self, host):
        self._host = host

    def start(self):
        pass

    def close(self):
        pass

    def __getattr__(self, name):
        return getattr(self._host, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


@pytest.fixture(scope="session")
def open_host():
    """One host for all."""
    from autograder.sandbox.host import Host

    with Host() as host:
        host.start()
        yield _StaysOpen(host)


@pytest.fixture
def shared_host(open_host, monkeypatch):
    """Commands of this test find a host that has started.

    Processes that share the work start hosts of their own, so `course.batch` must have the real one before this one
    stands in its place: a process that ended would close it for all.
    """
    importlib.import_module("autograder.course.batch")
    for place in ("autograder.cli.class_run.Host", "autograder.sandbox.host.Host"):
        monkeypatch.setattr(place, lambda **_: open_host)


@pytest.fixture
def attn(capfd, monkeypatch):
    """Runs `attn` with arguments, in the repository."""
    monkeypatch.chdir(ROOT)
    for name in ("ATTN_LANG", "ATTN_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")

    def run(*arguments):
        from autograder.cli import main

        monkeypatch.setattr(sys, "argv", ["attn", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        sys.stdout.flush()
        sys.stderr.flush()
        out, err = capfd.readouterr()
        return Ran(ended.value.code or 0, out, err)

    return run


@pytest.fixture
def small_class(tmp_path):
    """Six submissions to 04: right, wrong, unfinished, broken, hostile, nothing."""
    folder = tmp_path / "class"
    folder.mkdir()
    texts = {
        "ann.py": SOLUTION,
        "bo.py": reversed_mask(),
        "cy.ipynb": '{"cells": [',
        "di.py": f"import os\n{SOLUTION}\nos._exit(0)\n",
        "ed.py": "def causal_mask(n_queries, n_keys=None, device=None):\n    raise NotImplementedError\n",
        "fay.py": "",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def reversed_mask():
    """The reference with the edit of the known mistake, as the assignment declares it."""
    from autograder.content import load

    assignment = load(ROOT / "solutions" / "04_masked_softmax")
    [mistake] = [one for one in assignment.mistakes if one.id == "mask-causal-reversed-triangle"]
    text = assignment.solution
    for edit in sorted(mistake.cases[0].edits, key=lambda edit: -edit.start):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text
