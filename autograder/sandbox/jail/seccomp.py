"""The filter of system calls: no network, no programs, no processes, no signals to others, nothing unknown.

What is not allowed fails with "operation not permitted", which an honest library survives; nothing is killed.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from autograder.sandbox.jail import bpf, syscalls
from autograder.sandbox.jail.bpf import Instruction, argument, unless
from autograder.sandbox.jail.linux import MACHINE, syscall

_SET_FILTER, _ALL_THREADS = 1, 1
_NO, _UNKNOWN, _YES = bpf.refusal(errno.EPERM), bpf.refusal(errno.ENOSYS), bpf.ALLOW

_THREAD, _NAMESPACES = 0x0001_0000, 0x7E02_0000  # flags of clone
_LOCAL, _STREAM, _KIND = 1, 1, 0xF  # socketpair: address family, kind, and the bits of the kind
_WRITING, _CREATING, _CUTTING = 0b11, 0o100, 0o1000  # flags of open
_FCNTL_REFUSED = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: they make the kernel send signals to anybody
_IOCTL_ALLOWED = (0x5401, 0x802C542A, 0x5413, 0x5421, 0x541B, 0x5450, 0x5451)  # is it a terminal, its size, descriptors
_IOCTL_REFUSED = (0x5412, 0x541C, 0x8901, 0x8902)  # typing into a terminal, and signals as above
# Of prctl: reading what holds, naming threads and memory. Not: to outlive the parent, or to be looked into.
_PRCTL_ALLOWED = (2, 3, 15, 16, 21, 23, 39, 0x53564D41)

_Check = Callable[[], Sequence[Instruction]]


def filter_calls(*, read_only: bool, device: str) -> None:
    """Install the filter, for good and for all threads. `read_only`: no file may be written either."""
    if MACHINE not in syscalls.ARCHITECTURES:
        raise OSError(f"no table of system calls for {MACHINE}")
    program = build(MACHINE, os.getpid(), read_only=read_only, device=device)
    code = ctypes.create_string_buffer(bpf.packed(program))
    header = _Program(len(program), ctypes.addressof(code))
    number = syscalls.INSTALL_FILTER[MACHINE]
    syscall(number, ctypes.c_uint(_SET_FILTER), ctypes.c_uint(_ALL_THREADS), ctypes.byref(header))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def build(machine: str, pid: int, *, read_only: bool, device: str) -> list[Instruction]:
    """The filter's program for a process."""
    calls = syscalls.by_argument(machine)
    allowed = {*syscalls.plain(machine).values(), *(() if read_only else syscalls.changes(machine).values())}
    program = [
        bpf.load(bpf.ARCHITECTURE_AT),
        (bpf.IF_EQUAL, 1, 0, syscalls.ARCHITECTURES[machine]),
        bpf.verdict(_NO),
        bpf.load(bpf.NUMBER_AT),
        *unless(bpf.IF_GREATER, syscalls.LAST_KNOWN, [bpf.verdict(_UNKNOWN)]),
    ]
    for name, check in _checks(pid, read_only=read_only, device=device).items():
        if name in calls:
            program += unless(bpf.IF_EQUAL, calls[name], check)
    for first, last in _ranges(allowed):
        program += [(bpf.IF_AT_LEAST, 0, 2, first), (bpf.IF_GREATER, 1, 0, last), bpf.verdict(_YES)]
    return [*program, bpf.verdict(_NO)]


def _checks(pid: int, *, read_only: bool, device: str) -> Mapping[str, Sequence[Instruction]]:
    """What decides on each call whose arguments matter; every branch ends with a verdict."""
    ioctl = _only_if(1, _IOCTL_ALLOWED) if device == "cpu" else _unless_one_of(1, _IOCTL_REFUSED)
    return {
        "clone": _masked(0, _THREAD | _NAMESPACES, _THREAD),
        "clone3": [bpf.verdict(_UNKNOWN)],  # its flags lie in memory, out of a filter's sight: threads start by clone
        "openat2": [bpf.verdict(_UNKNOWN)],  # as above
        "open": _opening(1, read_only=read_only),
        "openat": _opening(2, read_only=read_only),
        "kill": _only_if(0, [pid]),
        "tgkill": _only_if(0, [pid]),
        "prlimit64": _only_if(0, [0, pid]),
        "sched_setaffinity": _only_if(0, [0, pid]),
        "socketpair": [argument(0), (bpf.IF_EQUAL, 1, 0, _LOCAL), bpf.verdict(_NO), *_masked(1, _KIND, _STREAM)],
        "fcntl": _unless_one_of(1, _FCNTL_REFUSED),
        "ioctl": ioctl,
        "prctl": _only_if(0, _PRCTL_ALLOWED),
    }


def _only_if(index: int, values: Sequence[int]) -> list[Instruction]:
    tests = [step for value in values for step in unless(bpf.IF_EQUAL, value, [bpf.verdict(_YES)])]
    return [argument(index), *tests, bpf.verdict(_NO)]


def _unless_one_of(index: int, values: Sequence[int]) -> list[Instruction]:
    tests = [step for value in values for step in unless(bpf.IF_EQUAL, value, [bpf.verdict(_NO)])]
    return [argument(index), *tests, bpf.verdict(_YES)]


def _masked(index: int, mask: int, value: int) -> list[Instruction]:
    """Allowed where the bits of `mask` are those of `value`."""
    equal = unless(bpf.IF_EQUAL, value, [bpf.verdict(_YES)])
    return [argument(index), (bpf.AND, 0, 0, mask), *equal, bpf.verdict(_NO)]


def _opening(index: int, *, read_only: bool) -> list[Instruction]:
    """Opening only to read. Cutting a file without opening it to write escapes the first versions of Landlock."""
    if read_only:
        return _masked(index, _WRITING | _CREATING | _CUTTING, 0)
    cut = unless(bpf.IF_EQUAL, _CUTTING, [bpf.verdict(_NO)])
    return [argument(index), (bpf.AND, 0, 0, _WRITING | _CUTTING), *cut, bpf.verdict(_YES)]


def _ranges(numbers: set[int]) -> Iterator[tuple[int, int]]:
    """Numbers that follow each other, as first and last."""
    ordered = sorted(numbers)
    starts = [number for number in ordered if number - 1 not in numbers]
    ends = [number for number in ordered if number + 1 not in numbers]
    yield from zip(starts, ends, strict=True)
