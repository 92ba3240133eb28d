"""Commands that run nothing load nothing heavy and answer at once."""

import os
import subprocess
import sys
import time

import pytest

HEAVY = ("torch", "numpy", "matplotlib", "nbformat", "nbgrader")
REPORT = f"\nimport sys\nprint('loaded:', *(name for name in {HEAVY} if name in sys.modules))"
HELP = """
import sys
from autograder.cli import main
sys.argv = ["attn", "--help"]
try:
    main()
except SystemExit as stop:
    assert not stop.code, stop.code
"""

# Half a second is the aim where a bare interpreter starts in 33 ms; a busy machine slows both.
BARE_STARTS = 15


def run(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONUTF8": "1"} | environment,
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    return done.stdout


def loaded_by(code, **environment):
    return run(code + REPORT, **environment).splitlines()[-1].split()[1:]


def seconds(code):
    start = time.perf_counter()
    run(code)
    return time.perf_counter() - start


@pytest.mark.parametrize("code", [HELP, "import autograder", "import autograder.graders.plugin"])
def test_nothing_heavy_is_loaded(code):
    assert loaded_by(code) == []


def test_a_child_can_be_started_before_torch_is_loaded():
    """So the two imports of torch, here and in the sandbox, go on at the same time."""
    assert loaded_by("from autograder.sandbox.host import Host\nHost().close()") == []


def test_a_heavy_import_would_be_seen(tmp_path):
    (tmp_path / "torch.py").write_text("", encoding="utf-8")
    assert loaded_by("import torch", PYTHONPATH=str(tmp_path)) == ["torch"]


def test_help_answers_at_once():
    bare, asked = (min(seconds(code) for _ in range(5)) for code in ("pass", HELP))
    assert asked < BARE_STARTS * bare
