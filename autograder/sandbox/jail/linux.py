"""The few calls to the Linux kernel that Python has no function for."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import sys
from pathlib import Path
from typing import Any

SET_PARENT_DEATH, GET_PARENT_DEATH, GET_DUMPABLE, SET_DUMPABLE = 1, 2, 3, 4
SET_CHILD_SUBREAPER, SET_NO_NEW_PRIVILEGES, GET_NO_NEW_PRIVILEGES = 36, 38, 39
MACHINE = platform.machine()
_MAP_FROM = -3  # glibc's M_MMAP_THRESHOLD


def _library() -> Any:
    if not sys.platform.startswith("linux"):
        raise OSError("Linux only")
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    return library


def prctl(option: int, value: Any = 0) -> int:
    """`prctl(option, value, 0, 0, 0)`; raises OSError."""
    return _checked(_library().prctl(option, value, 0, 0, 0))


def syscall(number: int, *arguments: Any) -> int:
    """A system call by its number; raises OSError."""
    return _checked(_library().syscall(ctypes.c_long(number), *arguments))


def capset(header: bytes, data: bytes) -> None:
    """Set this process's capabilities; raises OSError."""
    _checked(_library().capset(header, data))


def capget(header: bytes, data: Any) -> None:
    """Read this process's capabilities; raises OSError."""
    _checked(_library().capget(header, data))


def give_back_large_blocks(size: int) -> None:
    """Have every block of memory from that many bytes on mapped for itself, and given back when it is freed."""
    with contextlib.suppress(AttributeError):  # not glibc, whose heap would hold them
        _library().mallopt(_MAP_FROM, size)


def status_field(name: str) -> str:
    """A line of /proc/self/status."""
    with Path("/proc/self/status").open(encoding="ascii", errors="replace") as status:
        lines = dict(line.split(":", 1) for line in status)
    return lines[name].strip()


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
