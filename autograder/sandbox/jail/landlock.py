"""Landlock: the child reads what Python and PyTorch need, writes in its own folder, and reaches no other file.

Where the kernel's version of Landlock knows them, TCP connections, abstract sockets and signals to other processes are
refused too.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from pathlib import Path

from autograder.sandbox.jail.bounds import Bounds
from autograder.sandbox.jail.linux import syscall
from autograder.sandbox.jail.readable import readable

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446  # the same on every architecture
_WANTS_VERSION = 1
_PATH_BENEATH = 1

# Rights by the name that the kernel's header gives them.
WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_REG = 1 << 1, 4, 8, 16, 32, 128, 256
EXECUTE, TRUNCATE, IOCTL_DEV = 1, 1 << 14, 1 << 15
_ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
_READ = READ_FILE | READ_DIR
_OWN = _READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | TRUNCATE
_DEVICE = READ_FILE | WRITE_FILE | IOCTL_DEV

_FIRST_RIGHTS = 13  # those of version 1
# version of Landlock -> the rights on files that it added
_ADDED = {2: 1 << 13, 3: TRUNCATE, 5: IOCTL_DEV}
_TCP, _SCOPES = 0b11, 0b11  # bind and connect; abstract sockets and signals
_TCP_SINCE, _SCOPES_SINCE = 4, 6


def version() -> int:
    """The kernel's version of Landlock. Raises OSError where it has none or it is switched off."""
    return syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_WANTS_VERSION))


def restrict_files(bounds: Bounds) -> None:
    """Refuse all that no rule allows, to this thread and to all that it starts: the process has only this one yet."""
    abi = version()
    handled = _handled(abi)
    ruleset = _ruleset(abi, handled)
    try:
        for path, rights in _rules(bounds):
            _allow(ruleset, path, rights & handled)
        syscall(_RESTRICT, ruleset, ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _rules(bounds: Bounds) -> Iterable[tuple[Path, int]]:
    found = readable(bounds.hidden, bounds.device)
    yield from ((path, _READ) for path in found.whole)
    yield from ((path, READ_DIR) for path in found.listed)
    yield from ((path, _DEVICE) for path in found.devices)
    yield Path(bounds.folder), _OWN


def _handled(abi: int) -> int:
    rights = (1 << _FIRST_RIGHTS) - 1
    for since, right in _ADDED.items():
        rights |= right if abi >= since else 0
    return rights


def _ruleset(abi: int, handled: int) -> int:
    fields = [handled, *([_TCP] if abi >= _TCP_SINCE else []), *([_SCOPES] if abi >= _SCOPES_SINCE else [])]
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    return syscall(_CREATE, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))


def _allow(ruleset: int, path: Path, rights: int) -> None:
    """Add a rule; what is not there, or may not even be looked at, needs none."""
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(opened).st_mode):
            rights &= _ON_FILES
        if rights:
            rule = struct.pack("=Qi", rights, opened)
            syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, ctypes.c_uint32(0))
    finally:
        os.close(opened)
