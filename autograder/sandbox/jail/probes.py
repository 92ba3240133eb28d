"""Tries each wall from inside, in a throw-away process: a layer counts as on where it refuses what it should."""

from __future__ import annotations

import ctypes
import fcntl
import json
import mmap
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.sandbox.jail import ON, Bounds, close_files_but, confine, linux, settle
from autograder.sandbox.jail.credentials import CAPABILITY_BYTES, CAPABILITY_HEADER

_MORE_MEMORY = 64 << 20  # bytes beyond the limit


@dataclass(frozen=True)
class Case:
    """What a probe needs: the bounds that hold, and a file outside the child's folder, with one line in it."""

    bounds: Bounds
    canary: str


def main() -> None:
    """Raise the walls that the last argument describes, try them, and print what stands, as JSON."""
    asked = json.loads(sys.argv[-1])
    case = Case(Bounds(**asked["bounds"]), asked["canary"])
    if case.bounds.device != "cpu":
        _import_torch()  # as the fork server does, before there are walls
    settle(case.bounds.folder)
    close_files_but(2)
    layers = {name: _tried(name, state, case) for name, state in confine(case.bounds).items()}
    trouble = "" if case.bounds.device == "cpu" else _trouble_with(case.bounds.device)
    print(json.dumps({"layers": layers, "trouble": trouble}))  # noqa: T201 - the answer to the host


def _tried(name: str, state: str, case: Case) -> str:
    if state != ON or name not in PROBES:
        return state
    got_through = [what for what, attempt in PROBES[name](case) if _succeeds(attempt)]
    return f"off: it lets through: {', '.join(got_through)}" if got_through else state


def _succeeds(attempt: Callable[[], object]) -> bool:
    """Whether it happened; an attempt says False, or raises, where it was refused."""
    try:
        return attempt() is not False
    except (OSError, MemoryError, ValueError):
        return False


Attempts = Iterator[tuple[str, Callable[[], object]]]


def _user(case: Case) -> Attempts:
    yield "being root", lambda: 0 in os.getresuid()
    yield "becoming root", lambda: os.setuid(0)


def _capabilities(case: Case) -> Attempts:
    held = ctypes.create_string_buffer(CAPABILITY_BYTES)
    linux.capget(CAPABILITY_HEADER, held)
    yield "keeping capabilities", lambda: any(held.raw)


def _new_privileges(case: Case) -> Attempts:
    yield "gaining privileges", lambda: linux.prctl(linux.GET_NO_NEW_PRIVILEGES) != 1


def _landlock(case: Case) -> Attempts:
    yield "reading a file", lambda: Path(case.canary).read_bytes()
    yield "writing a file", lambda: Path(case.canary).write_bytes(b"")
    yield "making a file", lambda: Path(case.canary + ".new").touch()
    yield "listing a folder", lambda: [*Path(case.canary).parent.iterdir()]
    yield "reading about a process", lambda: Path(f"/proc/{os.getppid()}/status").read_bytes()


def _parent_death(case: Case) -> Attempts:
    told = ctypes.c_int(0)
    linux.prctl(linux.GET_PARENT_DEATH, ctypes.byref(told))
    yield "outliving its parent", lambda: told.value != signal.SIGKILL


def _hidden_memory(case: Case) -> Attempts:
    yield "being looked into", lambda: linux.prctl(linux.GET_DUMPABLE) != 0


def _rlimits(case: Case) -> Attempts:
    yield "memory without end", lambda: mmap.mmap(-1, case.bounds.memory_bytes + _MORE_MEMORY)
    yield "files without number", lambda: [os.open(os.devnull, os.O_RDONLY) for _ in range(case.bounds.open_files)]
    _, most = _cpu_limit()
    yield "running without end", lambda: not 0 < most <= case.bounds.cpu_seconds + 10


def _cpu_limit() -> tuple[int, int]:
    import resource

    return resource.getrlimit(resource.RLIMIT_CPU)


def _seccomp(case: Case) -> Attempts:
    parent = os.getppid()
    yield "a network socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    yield "a local socket", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    yield "a process", _fork
    yield "a program", lambda: os.execv(sys.executable, [sys.executable, "-c", "pass"])  # noqa: S606 - is refused
    yield "a signal to its parent", lambda: os.kill(parent, 0)
    yield "a signal by way of a file", lambda: fcntl.fcntl(1, fcntl.F_SETOWN, parent)
    yield "a limit on its parent", lambda: _limit_of(parent)
    yield "rights on a file", lambda: Path(case.canary).chmod(0o600)


def _limit_of(pid: int) -> object:
    import resource

    return resource.prlimit(pid, resource.RLIMIT_CORE)


def _fork() -> bool:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return True


PROBES: Mapping[str, Callable[[Case], Attempts]] = {
    "user": _user,
    "capabilities": _capabilities,
    "no-new-privileges": _new_privileges,
    "landlock": _landlock,
    "parent-death": _parent_death,
    "hidden-memory": _hidden_memory,
    "rlimits": _rlimits,
    "seccomp": _seccomp,
}


def _import_torch() -> None:
    import torch

    torch.set_num_threads(1)


def _trouble_with(device: str) -> str:
    """Why the device does not work behind the walls; empty where it does."""
    import torch

    try:
        torch.ones(2, 2, device=device).mm(torch.ones(2, 2, device=device)).sum().item()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""
