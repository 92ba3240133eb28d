"""What the walls cost: the same submissions graded with all walls and without, in turns, in one run.

    python tests/benchmarks/walls.py [ROUNDS] [--json]

Prints CPU milliseconds for each submission, of the grader and of its children, and of starting a child alone. The turns
alternate, so that a machine that grows busier slows both.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("OMP_NUM_THREADS", "1")

from autograder.content import load  # noqa: E402 - the path and the threads come first
from autograder.graders import grade, prepare  # noqa: E402
from autograder.graders.kit import Kit  # noqa: E402
from autograder.model import Submission  # noqa: E402
from autograder.notebooks import read  # noqa: E402
from autograder.sandbox.host import Host  # noqa: E402

FOLDER = ROOT / "solutions" / "04_masked_softmax"
LAYERS = ("user", "capabilities", "no-new-privileges", "landlock", "seccomp", "hidden-memory", "parent-death")
CHILDREN = 20


def cpu() -> float:
    """Seconds of this process and of those of its children that have ended."""
    return sum(resource.getrusage(who).ru_utime + resource.getrusage(who).ru_stime for who in (0, -1))


def submission_ms(kit: Kit, host: Host, submissions: list[Submission]) -> list[float]:
    """CPU of each submission: here, and of its children as the kernel counted it."""
    spent = []
    for submission in submissions:
        before, of_children = cpu(), kit.timings.get("submissions", 0.0)
        grade(kit, submission, host)
        spent.append(1000 * (cpu() - before + kit.timings.get("submissions", 0.0) - of_children))
    return spent


def child_ms(host: Host) -> float:
    """Seconds by the clock from asking for a child until it is ready, and its end."""
    started = time.monotonic()
    for _ in range(CHILDREN):
        with host.child() as child:
            child.load([])
    return 1000 * (time.monotonic() - started) / CHILDREN


def main() -> None:
    """Measure and print."""
    rounds = next((int(word) for word in sys.argv[1:] if word.isdigit()), 3)
    assignment = load(FOLDER)
    kit = prepare(assignment)
    submissions = [read(path, assignment) for path in sorted((FOLDER / "accepted").glob("*.py"))[:10]]
    with Host() as on, Host(without=LAYERS) as off:
        hosts = {"on": on, "off": off}
        for host in hosts.values():
            submission_ms(kit, host, submissions[:2])  # what is prepared once
        grading: dict[str, list[float]] = {"on": [], "off": []}
        starting: dict[str, list[float]] = {"on": [], "off": []}
        for _ in range(rounds):
            for name, host in hosts.items():
                grading[name] += submission_ms(kit, host, submissions)
                starting[name].append(child_ms(host))
        found = {
            "level": on.level,
            "submissions": len(submissions) * rounds,
            "cpu_ms_each": {name: statistics.median(values) for name, values in grading.items()},
            "child_ms": {name: statistics.median(values) for name, values in starting.items()},
        }
    if "--json" in sys.argv:
        print(json.dumps(found))  # noqa: T201 - what was asked for
        return
    for what in ("cpu_ms_each", "child_ms"):
        print(what, {name: round(value, 1) for name, value in found[what].items()})  # noqa: T201


if __name__ == "__main__":
    main()
