"""What grading costs: the sample class's notebooks by this kit and by `nbgrader autograde`, in one run.

    python tests/benchmarks/against_nbgrader.py [--json]

Both sides get the same files, each in a course whose gradebook was made beforehand, one thread each, one side after the
other, and write scores and pages. What each runs:

* this kit: `attn grade submitted --course DIR`, once for both assignments: every visible and hidden test in the
  sandbox, the diagnosis, comments, pages. The lesson's own cells run too, with plots absorbed.
* nbgrader: `nbgrader autograde NAME`, once for each assignment, its batch: a kernel for each notebook, in which every
  cell runs. Its check cells hold plain asserts that compare as many calls with the reference as this kit makes; the
  lesson's demonstrations, which would load matplotlib, are left out in its favour. It names no mistake.

Left out for both: notebooks that do not end by themselves, and those that nbgrader cannot grade at all (no valid JSON,
or a copied cell, which ends its batch). In notebooks that were not made from the ones handed out, cells that those do
not have lose their marks, and check cells are added at the end. CPU seconds are those of all processes that each side
started, as the operating system counts them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CLASS = ROOT / "tests" / "submissions"
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
ENVIRONMENT = os.environ | ONE_THREAD | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
SHOWN = 30  # lines of a program that failed
ROUNDS = 20  # calls of each function in a check cell: with five functions as many as the kit makes in all

OURS = re.compile(r"\b(?:autograder|lesson)\b")

# What each function is called with; `t` makes a tensor that differs from call to call.
CALLS = {
    "project": "(t(3, 7, 8), t(8, 5))",
    "qkv": "(t(3, 7, 8), t(8, 5), t(8, 5), t(8, 6))",
    "matrix_of": "(layer,)",
    "QKVProjection": None,
    "sinusoidal_positions": "(7 + n, 8)",
    "causal_mask": "(4 + n, 5 + n)",
    "padding_mask": "(torch.tensor([1, 3, 0]), 4 + n)",
    "masked_softmax": "(t(3, 5, 7), t(5, 7) > 1.5)",
    "masked_attention": "(t(3, 5, 8), t(3, 7, 8), t(3, 7, 6), t(5, 7) > 1.5)",
    "self_attention": "(t(3, 7, 8), t(8, 5), t(8, 5), t(8, 6), True, torch.tensor([1, 3, 7]))",
}

CHECK = """\
import torch, types
from torch import nn
expected = types.ModuleType("expected")
exec({solution!r}, expected.__dict__)
for n in range({rounds}):
    torch.manual_seed(n)
    t, layer = torch.randn, nn.Linear(5, 3)
    arguments = {arguments}
    mine, theirs = {name}(*arguments), expected.{name}(*arguments)
    pairs = zip(mine, theirs) if isinstance(theirs, tuple) else [(mine, theirs)]
    assert all(a.shape == b.shape and torch.allclose(a.float(), b.float(), atol=1e-5) for a, b in pairs)
"""
CHECK_LAYER = """\
import torch
for n in range({rounds}):
    torch.manual_seed(n)
    x, layer = torch.randn(3, 7, 8), QKVProjection(8, 5, 6)
    for got, W in zip(layer(x), (layer.W_Q, layer.W_K, layer.W_V)):
        assert torch.allclose(got, x @ W.weight.T, atol=1e-5)
"""


@dataclass(frozen=True)
class Cost:
    """What one side took."""

    cpu: float
    wall: float


def main() -> None:
    """Runs both sides and prints what they took."""
    parser = argparse.ArgumentParser(description="This kit against nbgrader autograde, on the same notebooks.")
    parser.add_argument("--json", action="store_true", help="print a last line of JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="attn-benchmark-") as scratch:
        ours, theirs = Path(scratch) / "ours", Path(scratch) / "theirs"
        names = prepare(theirs)
        shutil.copytree(theirs, ours)
        costs = grade_with_kit(ours), grade_with_nbgrader(theirs, names)
        count = len(list(ours.glob("submitted/*/*/*.ipynb")))
        scores = scores_in(ours), scores_in(theirs)
    show(costs, scores, count)
    if options.json:
        say(json.dumps(summary(*costs, count)))


def prepare(course: Path) -> list[str]:
    """A course of nbgrader's with its gradebook, and the class's notebooks handed in. The assignments' names."""
    names = sorted(path.parent.name for path in CLASS.glob("*/expected.toml"))
    for name in names:
        released = json.loads(built(name).read_text(encoding="utf-8"))
        source = course / "source" / name / built(name).name
        write(source, for_nbgrader(name, released))
    (course / "nbgrader_config.py").write_text("c = get_config()\n", encoding="utf-8")
    for name in names:
        run("nbgrader", "generate_assignment", name, cwd=course)
        for student, notebook in handed_in(name):
            write(course / "submitted" / student / name / built(name).name, notebook)
    return names


def built(name: str) -> Path:
    """The notebook handed out."""
    return ROOT / "assignments" / name / f"{name.partition('_')[2]}.ipynb"


def for_nbgrader(name: str, released: dict[str, Any]) -> dict[str, Any]:
    """The same cells; checks hold asserts, the lesson's demonstrations nothing, the first cell only imports."""
    solution = (ROOT / "solutions" / name / "solution.py").read_text(encoding="utf-8")
    cells = []
    for cell in released["cells"]:
        grade_id, source = id_of(cell), "".join(cell["source"])
        if grade_id.startswith("check-"):
            source = check(grade_id.removeprefix("check-"), solution)
        elif grade_id.startswith("cell-"):
            source = ""
        elif grade_id == "lesson-setup":
            source = "\n".join(line for line in source.splitlines() if not OURS.search(line))
        cells.append(cell | {"source": source})
    return released | {"cells": cells}


def check(function: str, solution: str) -> str:
    """A grade cell as an instructor would write it for nbgrader."""
    arguments = CALLS[function]
    if arguments is None:
        return CHECK_LAYER.format(rounds=ROUNDS)
    return CHECK.format(solution=solution, rounds=ROUNDS, arguments=arguments, name=function)


def handed_in(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The class's notebooks that both sides can grade, with a check cell for each function."""
    expected = tomllib.loads((CLASS / name / "expected.toml").read_text(encoding="utf-8"))
    released = {id_of(cell): cell for cell in json.loads(built(name).read_text(encoding="utf-8"))["cells"]}
    for path in sorted((CLASS / name).glob("*.ipynb")):
        one = expected[path.stem]
        ends = "timeout" not in str(one.get("tests", ""))
        if one["status"] != "graded" or not ends or "note-answer-twice" in one.get("notes", ()):
            continue
        notebook = json.loads(path.read_text(encoding="utf-8-sig"))
        for cell in notebook["cells"]:
            if id_of(cell) not in released:
                cell["metadata"].pop("nbgrader", None)
        there = {id_of(cell) for cell in notebook["cells"]}
        notebook["cells"] += [cell for key, cell in released.items() if key.startswith("check-") and key not in there]
        yield path.stem, notebook


def id_of(cell: dict[str, Any]) -> str:
    """By which nbgrader knows a cell, or nothing."""
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def write(path: Path, notebook: dict[str, Any]) -> None:
    """A notebook's file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")


def grade_with_kit(course: Path) -> Cost:
    """One call for the whole class."""
    with_kit = ("autograder.cli", "grade", course / "submitted", "--course", course)
    return costing(lambda: run(*with_kit, cwd=ROOT))


def grade_with_nbgrader(course: Path, names: list[str]) -> Cost:
    """One batch for each assignment."""
    return costing(lambda: [run("nbgrader", "autograde", name, cwd=course) for name in names])


def costing(work: Any) -> Cost:
    """What the processes started by `work` took."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu, time.monotonic() - start)


def run(*command: str | Path, cwd: Path) -> None:
    """A module of this environment as a program; what it says is shown only if it fails."""
    call = [sys.executable, "-m", *map(str, command)]
    done = subprocess.run(call, cwd=cwd, env=ENVIRONMENT, check=False, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        said = (done.stdout + done.stderr).splitlines()[-SHOWN:]
        sys.exit("\n".join([f"{' '.join(call)} ended with {done.returncode}:", *said]))


def scores_in(course: Path) -> dict[str, float]:
    """The mean score of each assignment, as its gradebook has it: both sides have really graded."""
    question = """
        select assignment.name, sum(coalesce(grade.auto_score, 0)) / count(distinct submitted_assignment.id)
        from grade join submitted_notebook on grade.notebook_id = submitted_notebook.id
        join submitted_assignment on submitted_notebook.assignment_id = submitted_assignment.id
        join assignment on submitted_assignment.assignment_id = assignment.id group by assignment.name"""
    with sqlite3.connect(course / "gradebook.db") as database:
        return {name: round(mean, 2) for name, mean in database.execute(question)}


def show(costs: tuple[Cost, Cost], scores: tuple[dict[str, float], dict[str, float]], count: int) -> None:
    """A table, a line for each side."""
    say(f"{count} notebooks, one thread, {os.cpu_count()} cores\n")
    say(f"{'':10}{'CPU s':>10}{'each':>8}{'wall s':>10}{'each':>8}   mean scores")
    for side, cost, means in zip(("attn", "nbgrader"), costs, scores, strict=True):
        each = f"{cost.cpu / count:8.3f}{cost.wall:10.2f}{cost.wall / count:8.3f}"
        say(f"{side:10}{cost.cpu:10.2f}{each}   {means}")
    say(f"{'ratio':10}{costs[1].cpu / costs[0].cpu:10.1f}{'':8}{costs[1].wall / costs[0].wall:10.1f}")


def say(line: str) -> None:
    """One line of the result."""
    sys.stdout.write(f"{line}\n")


def summary(ours: Cost, theirs: Cost, count: int) -> dict[str, float]:
    """Ratios are nbgrader's / ours."""
    return {
        "cpu_ratio": round(theirs.cpu / ours.cpu, 2),
        "wall_ratio": round(theirs.wall / ours.wall, 2),
        "notebooks": count,
        "cpu_seconds": round(ours.cpu, 3),
        "nbgrader_cpu_seconds": round(theirs.cpu, 3),
        "wall_seconds": round(ours.wall, 3),
        "nbgrader_wall_seconds": round(theirs.wall, 3),
    }


if __name__ == "__main__":
    main()
