"""What a learner has reached, in `.attn/state.json`: which functions pass, and the last finding with its hints.

The file is a convenience. It decides nothing, may be deleted at any time, and a damaged one counts as none. It is
written whole under another name and then renamed, so that two writers leave the work of one of them.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from autograder.model import Finding, Report

FILE = Path(".attn", "state.json")
LARGEST = 1 << 20  # bytes

Reached = Literal["passed", "failed", "unwritten"]

_GRAVEST: tuple[Reached, ...] = ("failed", "unwritten", "passed")


class Last(msgspec.Struct, frozen=True):
    """The last finding that was shown, and how many of its hints have been."""

    assignment: str
    finding: Finding
    hints: int = 1


class State(msgspec.Struct, frozen=True):
    """The file. `functions`: by assignment, then by name."""

    functions: dict[str, dict[str, Reached]] = {}
    last: Last | None = None


def read_state(root: Path) -> State:
    """What is known of the learner who works in a folder; nothing where no file can be read."""
    try:
        if not (root / FILE).is_file():  # opening a pipe would wait for whoever writes to it
            return State()
        with (root / FILE).open("rb") as stream:
            return msgspec.json.decode(stream.read(LARGEST), type=State)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return State()


def write_state(root: Path, state: State) -> None:
    """Keeps it. A folder that cannot be written to stays as it is: nobody's check may fail for that."""
    file = root / FILE
    unfinished = file.with_name(f"state.{os.getpid()}")
    with contextlib.suppress(OSError):
        file.parent.mkdir(exist_ok=True)
        unfinished.write_bytes(msgspec.json.encode(state) + b"\n")
        unfinished.replace(file)


def remember(root: Path, report: Report, shown: Finding | None) -> None:
    """Keeps what a check has shown."""
    state = read_state(root)
    reached = {**state.functions.get(report.assignment, {}), **_reached(report)}
    last = state.last
    if shown is not None and not (last and (last.assignment, last.finding) == (report.assignment, shown)):
        last = Last(report.assignment, shown)
    elif shown is None and last and last.assignment == report.assignment and _is_settled(last.finding, reached):
        last = None
    write_state(root, State({**state.functions, report.assignment: reached}, last))


def with_hint(state: State, number: int) -> State:
    """The state once that many hints of the last finding have been shown."""
    return state if state.last is None else replace(state, last=replace(state.last, hints=number))


def _is_settled(finding: Finding, reached: Mapping[str, Reached]) -> bool:
    return all(reached.get(name) == "passed" for name in finding.functions)


def _reached(report: Report) -> dict[str, Reached]:
    found: dict[str, Reached] = {}
    for test in report.tests:
        status: Reached = "passed" if test.status in ("passed", "unchecked") else "failed"
        if test.status in ("skipped", "missing"):
            status = "unwritten"
        found[test.function] = min(found.get(test.function, "passed"), status, key=_GRAVEST.index)
    return found
