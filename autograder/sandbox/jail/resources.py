"""Limits that the kernel keeps: memory, processor time, files, processes."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from autograder.sandbox.jail.bounds import Bounds
from autograder.sandbox.jail.linux import give_back_large_blocks, status_field

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_CPU_GRACE = 2  # seconds between SIGXCPU, which can be caught, and SIGKILL
# Where memory is scarce, what is freed must be free: a small piece that stays in the place of a large block would keep
# the next large one out, and code that needs little would run out of memory on some days.
_SCARCE, _LARGE = 1 << 30, 1 << 20  # bytes
_THREADS = 128  # beyond those that the whole machine runs now, since the kernel counts all that a user has


def limit_resources(bounds: Bounds) -> None:
    """Memory, CPU time, file sizes, open files and threads."""
    if resource is None:
        raise OSError("this system has no resource limits")
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, bounds.file_bytes)
    _limit(resource.RLIMIT_NOFILE, bounds.open_files)
    _limit(resource.RLIMIT_CPU, bounds.cpu_seconds, bounds.cpu_seconds + _CPU_GRACE)
    if not sys.platform.startswith("linux"):
        raise OSError("memory is not bounded on this system")
    if os.getuid() != 0:  # the kernel counts nobody's processes against root
        _limit(resource.RLIMIT_NPROC, _tasks() + _THREADS)
    if bounds.device == "cpu":
        if bounds.memory_bytes < _SCARCE:
            give_back_large_blocks(_LARGE)
        _limit(resource.RLIMIT_MEMLOCK, 0)
        _limit(resource.RLIMIT_AS, _own_memory("VmSize") + bounds.memory_bytes)
    else:  # a GPU's driver maps far more address space than it uses
        _limit(resource.RLIMIT_DATA, _own_memory("VmData") + bounds.memory_bytes)


def be_ended_first() -> None:
    """Where the machine's memory runs out, the kernel ends this process and those that it forks before any other."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def _limit(which: int, soft: int, hard: int | None = None) -> None:
    _, ceiling = resource.getrlimit(which)
    bounds = (soft, soft if hard is None else hard)
    if ceiling != resource.RLIM_INFINITY:
        bounds = (min(bounds[0], ceiling), min(bounds[1], ceiling))
    try:
        resource.setrlimit(which, bounds)
    except ValueError as error:
        raise OSError(str(error)) from None


def _own_memory(field: str) -> int:
    return int(status_field(field).split()[0]) * 1024


def _tasks() -> int:
    """The processes and threads of the whole machine."""
    return int(Path("/proc/loadavg").read_text(encoding="ascii").split()[3].partition("/")[2])
