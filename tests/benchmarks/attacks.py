"""The corpus of attacks beside ten honest submissions, at each level of the sandbox; and a class of endless loops.

    python tests/benchmarks/attacks.py [--level LEVEL] [--json]

A table for each level that this machine reaches: of each kind of attack how many files there are, how many ended as
their first line says, what points they gained beyond what their right functions are worth, and how they ended, with the
sentence that stands in the report. Then twelve submissions that never end, each in another way, at the limits that hold
for everybody. Exit code 1: something was not contained, was left behind, or an honest grade was touched.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "hostile")]
os.environ.setdefault("OMP_NUM_THREADS", "1")

import corpus  # noqa: E402 - the path and the threads come first
import small_assignment  # noqa: E402

from autograder.messages import say  # noqa: E402
from autograder.model import Assignment, Report  # noqa: E402
from autograder.sandbox.host import LEVELS, Limits  # noqa: E402

LINE = "{:10} {:>5} {:>9} {:>6}  {}"


def measured(
    level: str,
    assignment: Assignment,
    scratch: Path,
    attacks: Sequence[Path] | None = None,
    limits: Limits = corpus.QUICK,
) -> Any:
    """One class graded: what came of each kind, and of all; None where this machine does not reach the level."""
    scratch.mkdir()
    attacks = corpus.attacks_at(level) if attacks is None else attacks
    found = corpus.grade_attacks(level, assignment, scratch, attacks, limits)
    if found is None:
        return None
    return {
        "level": level,
        "files": len(attacks),
        "seconds": round(found.seconds, 1),
        "left_behind": list(found.left),
        "honest_touched": corpus.touched(found.reports, corpus.grade_honest(assignment)),
        "kinds": [
            of_kind(kind, [(level, attack, found.reports[attack.stem]) for attack in attacks if is_of(attack, kind)])
            for kind in sorted({corpus.kind(attack) for attack in attacks})
        ],
    }


def is_of(attack: Path, kind: str) -> bool:
    """Whether an attack is of that kind."""
    return corpus.kind(attack) == kind


def of_kind(kind: str, graded: Sequence[tuple[str, Path, Report]]) -> dict[str, Any]:
    """A row of the table."""
    endings = Counter(ending(report) for _, _, report in graded)
    return {
        "kind": kind,
        "files": len(graded),
        "contained": sum(corpus.said(attack)[level].allows(report) for level, attack, report in graded),
        "points_gained": sum(gained(level, attack, report) for level, attack, report in graded),
        "endings": [{"files": count, "how": how} for how, count in endings.most_common()],
        "not_as_said": [
            attack.stem for level, attack, report in graded if not corpus.said(attack)[level].allows(report)
        ],
    }


def gained(level: str, attack: Path, report: Report) -> float:
    """Points beyond those of its right functions: "contained" claims no secrecy, and pays what was read."""
    return max(0.0, report.score - min(corpus.said(attack)[one].points for one in (level, LEVELS[0])))


def ending(report: Report) -> str:
    """The gravest status of the attacking function, or of the whole, with its sentence."""
    status = corpus.scale_status(report)
    message = report.problem if status is None else None
    for test in report.tests:
        if test.function == "scale" and test.status == status and message is None:
            message = test.message
    sentence = say(message.id, "en", **message.with_).splitlines()[0] if message else "right"
    return f"{status or report.status}: {sentence}"


def show(found: dict[str, Any], title: str) -> None:
    """Print a class as a table, with one example of a sentence for each way to end."""
    print(f"\n{title}: {found['files']} attacks, {found['seconds']} s")  # noqa: T201
    print(LINE.format("kind", "files", "contained", "gained", "how they ended"))  # noqa: T201
    for row in found["kinds"]:
        first, *others = [f"{one['files']} x {one['how'][:90]}" for one in shortest(row["endings"])]
        print(LINE.format(row["kind"], row["files"], row["contained"], row["points_gained"], first))  # noqa: T201
        for other in others:
            print(LINE.format("", "", "", "", other))  # noqa: T201
    for what in ("left_behind", "honest_touched"):
        print(f"{what}: {found[what] or 'nothing'}")  # noqa: T201
    print(f"not as said: {[name for row in found['kinds'] for name in row['not_as_said']] or 'nothing'}")  # noqa: T201


def shortest(endings: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """One line for each status: the most frequent sentence stands for the others."""
    merged: dict[str, dict[str, Any]] = {}
    for one in endings:
        status = one["how"].partition(":")[0]
        before = merged.setdefault(status, {"files": 0, "how": one["how"]})
        before["files"] += one["files"]
    return [*merged.values()]


def is_sound(found: dict[str, Any]) -> bool:
    """Whether all was contained, nothing stayed behind and no honest grade changed."""
    clean = not found["left_behind"] and not found["honest_touched"]
    return clean and all(row["files"] == row["contained"] for row in found["kinds"])


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--level", choices=LEVELS, action="append")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        assignment = small_assignment.make(Path(folder) / "course")
        levels = asked.level or LEVELS
        done = {level: measured(level, assignment, Path(folder) / level) for level in levels}
        loops = measured(levels[0], assignment, Path(folder) / "loops", corpus.LOOPS, Limits())
        done["endless loops at default limits"] = loops
    found = {title: one for title, one in done.items() if one is not None}
    if asked.json:
        print(json.dumps(found, ensure_ascii=False))  # noqa: T201 - what was asked for
    else:
        for title, one in found.items():
            show(one, title)
    return 0 if found and all(is_sound(one) for one in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
