"""The learner's commands where `solutions/` has been deleted: a copy of the engine and of `assignments/`, no more."""

import ast
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("torch", "numpy", "matplotlib", "nbformat", "pytest")
LONGEST = 1.5  # seconds: half a second is the aim on a machine that does nothing else
RUN = f"""
import sys
from autograder.cli import main
try:
    main()
finally:
    print("loaded:", *(name for name in {HEAVY} if name in sys.modules), file=sys.stderr)
"""
WRONG = """import torch


def causal_mask(n_queries, n_keys=None, device=None):
    return torch.ones(n_queries, n_keys or n_queries, dtype=torch.bool).tril(-1)
"""


@dataclass
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """The repository without `solutions/`."""
    folder = tmp_path_factory.mktemp("kit")
    ignored = shutil.ignore_patterns("__pycache__", "*.ipynb", "*.py")
    shutil.copytree(ROOT / "autograder", folder / "autograder", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "assignments", folder / "assignments", ignore=ignored)
    for built in (folder / "assignments").iterdir():
        shutil.copy(ROOT / "assignments" / built.name / "test_visible.py", built)
    return folder


@pytest.fixture
def kit(copied):
    """The same, with a wrong answer, and nothing remembered."""
    shutil.rmtree(copied / ".attn", ignore_errors=True)
    (copied / "masked_softmax.py").write_text(WRONG, encoding="utf-8")
    return copied


def attn(kit, *arguments, language="en"):
    environment = os.environ | {
        "PYTHONPATH": str(kit),
        "PYTHONUTF8": "1",
        "ATTN_LANG": language,
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        cwd=kit,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def test_everything_works_without_solutions(kit):
    assert not (kit / "solutions").exists()
    checked = attn(kit, "check", "masked_softmax.py")
    assert checked.code == 1, checked.err
    assert "the causal mask hides the past and shows the future" in checked.out
    first, second, last = (attn(kit, "hint") for _ in range(3))
    assert (first.code, second.code, last.code) == (0, 0, 0)
    assert "hint 2 of 2: " in first.out
    assert "to read more, type: attn explain mask-causal-reversed-triangle" in last.out
    explained = attn(kit, "explain")
    assert "mask-causal-reversed-triangle" in explained.out
    assert "causal_mask(5)" in explained.out
    status = attn(kit, "status")
    assert "causal_mask       does not pass" in status.out
    assert "masked_softmax    not written yet" in status.out


def solved(file, to):
    """A built notebook with the reference's functions for answers."""
    reference = (ROOT / "solutions" / file.parent.name / "solution.py").read_text(encoding="utf-8")
    parts = {
        part.name: ast.get_source_segment(reference, part) for part in ast.parse(reference).body[1:] if named(part)
    }
    notebook = json.loads(file.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        mark = cell["metadata"].get("nbgrader", {})
        if mark.get("solution") and cell["cell_type"] == "code":
            private = [part for name, part in parts.items() if name.startswith("_")]
            cell["source"] = "\n\n\n".join([*private, parts[mark["grade_id"]]])
    to.write_text(json.dumps(notebook), encoding="utf-8")


def named(part):
    return isinstance(part, ast.FunctionDef | ast.ClassDef)


@pytest.mark.parametrize("built", sorted((ROOT / "assignments").glob("*/*.ipynb")), ids=lambda path: path.name)
def test_a_solved_notebook_passes_though_its_imports_stand_in_the_kits_own_cell(kit, built):
    file = kit / "my notebook.ipynb"
    solved(built, file)
    checked = attn(kit, "check", file.name)
    file.unlink()
    assert checked.code == 0, checked.out + checked.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["status"], 0, "not checked yet"),
        (["hint"], 2, "attn: nothing was found yet; type: attn check"),
        (["explain"], 2, "attn: name a mistake: attn explain ID"),
        (["explain", "score-no-scale"], 0, "expected"),
        (["explain", "score-no-scael"], 2, "did you mean one of: score-no-scale"),
        (["explain", "?"], 2, "attn: no mistake ?"),
        (["--help"], 0, "explain"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, list) else "",
)
def test_what_is_only_looked_up_comes_at_once_without_torch(kit, arguments, code, said):
    start = time.perf_counter()
    ran = attn(kit, *arguments)
    assert time.perf_counter() - start < LONGEST
    assert (ran.code, said in ran.out + ran.err) == (code, True), ran
    assert ran.err.endswith("loaded:\n")


def test_a_hint_after_a_check_loads_no_torch_either(kit):
    (kit / ".attn").mkdir()
    shutil.copy(ROOT / "tests" / "learn" / "state.json", kit / ".attn")
    ran = attn(kit, "hint", language="ja")
    assert ran.code == 0
    assert "ヒント 2 / 2: " in ran.out
    assert ran.err == "loaded:\n"


def test_a_heavy_import_would_be_seen(kit):
    assert "torch" in attn(kit, "check", "masked_softmax.py").err


def test_pages_are_in_japanese_where_that_is_spoken(kit):
    assert "未確認" in attn(kit, "status", language="ja").out
    page = attn(kit, "explain", "score-no-scale", "--lang", "ja").out
    assert "理由" in page
    assert "期待する値" in page


def test_a_pack_that_cannot_be_read_is_one_line_and_our_failure(kit, tmp_path):
    shutil.copytree(kit, tmp_path / "kit")
    (tmp_path / "kit" / "assignments" / "04_masked_softmax" / "pack.json").write_text("{", encoding="utf-8")
    ran = attn(tmp_path / "kit", "status")
    assert (ran.code, ran.out) == (3, "")
    assert "04_masked_softmax/pack.json: is not a pack" in ran.err.splitlines()[0]
