"""Programs for the kernel's packet filter, in which system-call filters are written."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

Instruction = tuple[int, int, int, int]
"""Operation, instructions to skip where it holds, to skip where it does not, operand."""

LOAD, AND, RETURN = 0x20, 0x54, 0x06
IF_EQUAL, IF_GREATER, IF_AT_LEAST, IF_ANY_BIT = 0x15, 0x25, 0x35, 0x45
LONGEST_SKIP = 255

# Where the parts of a system call stand in what a filter sees.
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16

ALLOW = 0x7FFF0000
_REFUSE = 0x00050000


def refusal(error: int) -> int:
    """The verdict that lets a call fail with an error number."""
    return _REFUSE | error


def verdict(value: int) -> Instruction:
    """End with a verdict."""
    return (RETURN, 0, 0, value)


def load(offset: int) -> Instruction:
    """Take the 32 bits at an offset."""
    return (LOAD, 0, 0, offset)


def argument(index: int) -> Instruction:
    """Take the low 32 bits of an argument."""
    return load(ARGUMENTS_AT + 8 * index)


def unless(operation: int, value: int, then: Sequence[Instruction]) -> list[Instruction]:
    """Run `then` where the test holds, and go on behind it where it does not."""
    assert len(then) <= LONGEST_SKIP
    return [(operation, 0, len(then), value), *then]


def packed(program: Iterable[Instruction]) -> bytes:
    """The program as the kernel reads it."""
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
