"""What a child may use, and what the walls around it amount to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Seconds for one call, for all calls of a test, for loading all cells, and for a whole submission.

    Without a bound on the whole, one that sleeps just short of each deadline would hold up a class for minutes.
    Processor time has more room, since several threads use it up faster than the clock runs. The rest bounds a child.
    """

    call_seconds: float = 3.0
    test_seconds: float = 10.0  # of waiting for its calls
    load_seconds: float = 10.0
    total_seconds: float = 60.0  # of waiting for it, whichever child answers
    call_cpu_seconds: float = 10.0
    test_cpu_seconds: float = 20.0
    cpu_seconds: int = 60  # of all children
    memory_bytes: int = 2 << 30  # beyond what torch itself takes
    output_bytes: int = 1 << 16  # of printed text that is kept
    answer_bytes: int = 128 << 20  # of all answers together: the grader keeps them until it has named the mistakes
    callbacks: int = 2000  # calls of the grader's functions, in one call of the submission
    callback_bytes: int = 4 << 20  # that such functions are given and give back, in one call of the submission
    file_bytes: int = 16 << 20  # each
    folder_bytes: int = 64 << 20  # all files together
    folder_files: int = 1000
    open_files: int = 64


FULL, CONTAINED, LIMITS_ONLY = "full", "contained", "limits-only"
LEVELS = (FULL, CONTAINED, LIMITS_ONLY)

_ON = "on"
_CONTAINING = {"rlimits", "seccomp", "no-new-privileges", "capabilities", "parent-death"}
_HIDING = {"landlock", "hidden-memory"}


def level_of(layers: Mapping[str, str]) -> str:
    """What the layers that are on amount to: `full`; `contained`, which hides no files; or `limits-only`."""
    on = {name for name, state in layers.items() if state == _ON}
    if not on >= _CONTAINING:
        return LIMITS_ONLY
    return FULL if on >= _HIDING else CONTAINED
