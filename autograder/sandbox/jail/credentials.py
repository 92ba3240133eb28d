"""Whose process the child is, what it may gain, and who may look into it."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import stat
import struct
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from autograder.sandbox.jail.bounds import Bounds
from autograder.sandbox.jail.linux import (
    SET_CHILD_SUBREAPER,
    SET_DUMPABLE,
    SET_NO_NEW_PRIVILEGES,
    SET_PARENT_DEATH,
    capset,
    prctl,
    status_field,
)

# Users that systemd lends to services while they run: nobody's files belong to them.
_FIRST_USER, _USERS = 61184, 4336
# CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_KILL, CAP_SETGID, CAP_SETUID: to become another user, end it, remove its files.
_NEEDED = 1 << 0 | 1 << 1 | 1 << 5 | 1 << 6 | 1 << 7
_CAPABILITY_VERSION = 0x20080522
CAPABILITY_HEADER = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
CAPABILITY_BYTES = 24


def become_another_user(bounds: Bounds) -> None:
    """Where root grades, the child is a user who owns nothing.

    Where only root can read this Python, it stays root in name, without root's powers; its processes are still counted
    as another user's, so that a limit on their number holds.
    """
    if not sys.platform.startswith("linux"):
        raise OSError("Linux only")
    if os.geteuid() != 0:
        raise OSError("only root can start processes of another user")
    if int(status_field("CapEff"), 16) & _NEEDED != _NEEDED:
        raise OSError("root lacks the right to become another user here")
    user = _FIRST_USER + os.getpid() % _USERS
    closed = closed_libraries() or _first_closed(Path(bounds.folder).resolve().parents)
    if closed is not None:
        os.setresuid(user, -1, -1)
        raise OSError(f"{closed} can only be read by root")
    os.chown(bounds.folder, user, user)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


@functools.cache  # looked up before the fork server forks, and found by its children
def closed_libraries() -> Path | None:
    """A folder on the way to Python's libraries that not everybody may enter."""
    found = [sys.prefix, sys.base_prefix, *(sysconfig.get_paths()[name] for name in ("stdlib", "purelib", "platlib"))]
    return _first_closed(folder for path in found for folder in (Path(path).resolve(), *Path(path).resolve().parents))


def _first_closed(folders: Iterable[Path]) -> Path | None:
    return next((folder for folder in folders if not folder.stat().st_mode & stat.S_IXOTH), None)


def drop_capabilities(bounds: Bounds) -> None:
    """Nothing that only root may do, whoever the child is."""
    capset(CAPABILITY_HEADER, bytes(CAPABILITY_BYTES))


def refuse_new_privileges(bounds: Bounds) -> None:
    """No program started from here gains rights (set-user-id, file capabilities)."""
    prctl(SET_NO_NEW_PRIVILEGES, 1)


def die_with_parent(bounds: Bounds) -> None:
    """The kernel ends the child when the process that forked it ends."""
    prctl(SET_PARENT_DEATH, signal.SIGKILL)


def hide_memory(bounds: Bounds | None = None) -> None:
    """Other processes of the same user cannot look into this one's memory."""
    prctl(SET_DUMPABLE, 0)


def adopt_orphans() -> None:
    """Processes that a dead child leaves behind become this process's own, so that it can end them."""
    with contextlib.suppress(OSError):
        prctl(SET_CHILD_SUBREAPER, 1)
