"""Outcomes by number: many written as one message, in the sandbox's own format, and read back one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import numpy as np

from autograder.calls import Leaf, Outcome, Raised
from autograder.sandbox.nodes import PREFIX, Node, WireError, items, parse, sizes_of
from autograder.sandbox.records import read_outcome, write_outcome
from autograder.sandbox.wire import Reader, Writer


class _Buffers(Writer):
    """A writer that keeps equal buffers once."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[bytes, list[int]] = {}

    def bytes_of(self, flat: np.ndarray[Any, Any], elements: int = 0) -> list[int]:  # noqa: ARG002 - a pack is ours
        content = flat.tobytes()
        if content not in self._known:
            self._known[content] = super().bytes_of(np.frombuffer(content, np.uint8))
        return self._known[content]


@dataclass
class Outcomes:
    """Outcomes under numbers, equal ones under one."""

    _writer: _Buffers = field(default_factory=_Buffers)
    _nodes: list[Node] = field(default_factory=list)
    _numbers: dict[bytes, int] = field(default_factory=dict)

    def number(self, outcome: Outcome) -> int:
        """The number of an outcome, less what comparing does not need."""
        node = write_outcome(self._writer, _bare(outcome))
        content = msgspec.msgpack.encode(node)
        if content not in self._numbers:
            self._numbers[content] = len(self._nodes)
            self._nodes.append(node)
        return self._numbers[content]

    def message(self) -> bytes:
        """All of them."""
        return b"".join(self._writer.message(self._nodes))


class Kept:
    """The outcomes of a message, read when they are asked for. Raises WireError for what is none."""

    def __init__(self, message: bytes, device: str) -> None:
        content = memoryview(bytearray(message))  # PyTorch warns of tensors that lie in what cannot be written
        header, payload = sizes_of(content[: PREFIX.size]) if len(content) >= PREFIX.size else (0, 0)
        body = content[PREFIX.size :]
        if not header or len(body) != header + payload:
            raise WireError("cut off")
        self._nodes, self._payload = items(parse(body[:header])), body[header:]
        self._device = device
        self._read: dict[int, Outcome] = {}

    def outcome(self, number: int) -> Outcome:
        """An outcome as this device would give it."""
        if number not in self._read:
            if not 0 <= number < len(self._nodes):
                raise WireError(f"there is no outcome {number}")
            outcome = read_outcome(Reader(self._payload), self._nodes[number])
            self._read[number] = replace(outcome, leaves=tuple(map(self._here, outcome.leaves)))
        return self._read[number]

    def _here(self, leaf: Leaf) -> Leaf:
        return replace(leaf, device=self._device) if leaf.device == "cpu" else leaf


def _bare(outcome: Outcome) -> Outcome:
    """No lines of code, no texts, no values of changed arguments."""
    changed: Mapping[str, None] = dict.fromkeys(sorted(outcome.changed))
    return replace(
        outcome,
        leaves=tuple(Leaf(leaf.device, requires_grad=False) for leaf in outcome.leaves),
        raised=_class_of(outcome.raised),
        grad_error=_class_of(outcome.grad_error),
        changed=changed,
        events=(),
        used=(),
    )


def _class_of(raised: Raised | None) -> Raised | None:
    return None if raised is None else Raised(raised.type_name, raised.bases, "")
