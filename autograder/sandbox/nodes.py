"""Messages between host and child: `<u32 header><u64 payload>`, a msgpack header, the bytes of its tensors and arrays.

A header is a tree of nodes: None, bools, numbers and strings stand for themselves, everything else is a list that
starts with its tag. There are no maps and no bytes in it: filling a map can be made slow by keys that collide. Either
side checks every node it reads; what does not fit raises `WireError`, nothing else.
"""

from __future__ import annotations

import functools
import struct
from typing import Any

import msgspec

from autograder.sandbox.tensors import DEPTH_LIMIT

HEADER_LIMIT, PAYLOAD_LIMIT = 4 << 20, 64 << 20  # bytes
NODE_LIMIT = 250_000  # of one list
VALUE_LIMIT = 50_000  # of a message, numbers and strings among them: each becomes a part that is compared
NESTING_LIMIT = 2 * DEPTH_LIMIT + 8  # of nodes: values lie inside steps and outcomes
PREFIX = struct.Struct("<IQ")

Node = Any
Buffer = memoryview


class WireError(Exception):
    """A message that breaks the protocol, or a value that it cannot carry."""


def whole(node: Node) -> int:
    """A count: an int from 0 to 2^40."""
    if type(node) is int and 0 <= node < 1 << 40:
        return node
    raise WireError("not a count")


def text(node: Node) -> str:
    """A string."""
    if type(node) is str:
        return node
    raise WireError("not a string")


def items(node: Node, length: int | None = None) -> list[Node]:
    """A list of nodes, of that length where one is given."""
    if type(node) is not list or (length is not None and len(node) != length) or len(node) > NODE_LIMIT:
        raise WireError("not a list of the right length")
    return node


def parse(header: Buffer) -> Node:
    """The tree of a header; its nodes are not checked yet."""
    try:
        return _decoder.decode(header)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise WireError(str(error)) from None


def sizes_of(prefix: Buffer) -> tuple[int, int]:
    """Header and payload size of the message that starts with `prefix`, within the limits."""
    header, payload = PREFIX.unpack(prefix)
    if header > HEADER_LIMIT or payload > PAYLOAD_LIMIT:
        raise WireError(f"too large: {header} and {payload} bytes")
    return header, payload


def _tree(depth: int) -> Any:
    """The type of lists in lists, so deep at most: the decoder stops at anything else before it is made."""
    plain = None | bool | int | float | str
    return functools.reduce(lambda inside, _: plain | list[inside], range(depth), plain)  # type: ignore[valid-type]


_decoder = msgspec.msgpack.Decoder(_tree(2 * NESTING_LIMIT))
