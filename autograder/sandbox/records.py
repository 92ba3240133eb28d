"""Steps and outcomes as message trees, and back with every field checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from autograder.calls import Action, Event, Frame, Handle, Leaf, Outcome, Raised, Status, Step, Value
from autograder.sandbox.nodes import Node, WireError, items, text, whole
from autograder.sandbox.tensors import is_tensor
from autograder.sandbox.wire import Reader, Writer

_T = TypeVar("_T")
# Characters of a class, a file, an argument's path; of an exception's text; frames and names: our worker sends less.
_NAME_LIMIT, _TEXT_LIMIT, _FEW = 1000, 5000, 100


def write_step(writer: Writer, step: Step) -> Node:
    """The node of a step."""
    return [
        step.action.value,
        step.name,
        writer.node(tuple(step.args)),
        writer.node(dict(step.kwargs)),
        None if step.on is None else step.on.number,
        None if step.into is None else step.into.number,
        None if step.cotangents is None else writer.node(tuple(step.cotangents)),
        step.seed,
    ]


def read_step(reader: Reader, node: Node) -> Step:
    """The step of a node. Raises WireError where it is none."""
    action, name, args, kwargs, on, into, cotangents, seed = items(node, 8)
    return Step(
        _member(Action, action),
        text(name),
        _tuple(reader.value(args)),
        _named(reader, kwargs),
        None if on is None else Handle(whole(on)),
        None if into is None else Handle(whole(into)),
        None if cotangents is None else _cotangents(reader.value(cotangents)),
        _integer(seed),
    )


def write_outcome(writer: Writer, outcome: Outcome) -> Node:
    """The node of an outcome."""
    return [
        outcome.status.value,
        writer.node(outcome.value),
        [[leaf.device, leaf.requires_grad, list(leaf.shares)] for leaf in outcome.leaves],
        None if outcome.grads is None else writer.node(dict(outcome.grads)),
        _write_raised(outcome.grad_error),
        writer.node(dict(outcome.changed)),
        _write_raised(outcome.raised),
        [[event.name, writer.node(event.args), writer.node(event.returned)] for event in outcome.events],
        list(outcome.used),
    ]


def read_outcome(reader: Reader, node: Node) -> Outcome:
    """The outcome of a node. Raises WireError where it is none, or where its parts do not fit together."""
    status, value, leaves, grads, grad_error, changed, raised, events, used = items(node, 9)
    before = reader.tensors
    decoded = reader.value(value)
    count = reader.tensors - before
    if status == Status.RAISED and raised is None:
        raise WireError("an exception without a name")
    return Outcome(
        _member(Status, status),
        decoded,
        tuple(_leaf(leaf) for leaf in items(leaves, count)),
        None if grads is None else _gradients(reader, grads),
        _read_raised(grad_error),
        _named(reader, changed),
        _read_raised(raised),
        tuple(_event(reader, event) for event in items(events)),
        _names(used),
    )


def _write_raised(raised: Raised | None) -> Node:
    if raised is None:
        return None
    frames = [[frame.file, frame.line, frame.text, frame.function] for frame in raised.frames]
    return [raised.type_name, list(raised.bases), raised.message, frames]


def _read_raised(node: Node) -> Raised | None:
    if node is None:
        return None
    type_name, bases, message, frames = items(node, 4)
    shown = tuple(_frame(frame) for frame in _few(frames))
    return Raised(_name(type_name), _names(bases), _short(message, _TEXT_LIMIT), shown)


def _frame(node: Node) -> Frame:
    file, line, source, function = items(node, 4)
    return Frame(_name(file), whole(line), _name(source), _name(function))


def _leaf(node: Node) -> Leaf:
    device, requires_grad, shares = items(node, 3)
    if type(requires_grad) is not bool:
        raise WireError("not a leaf")
    return Leaf(_name(device), requires_grad, _names(shares))


def _event(reader: Reader, node: Node) -> Event:
    name, args, returned = items(node, 3)
    return Event(_name(name), _tuple(reader.value(args)), reader.value(returned))


def _gradients(reader: Reader, node: Node) -> Mapping[str, Value]:
    gradients = _named(reader, node)
    if not all(value is None or is_tensor(value) for value in gradients.values()):
        raise WireError("not a gradient")
    return gradients


def _named(reader: Reader, node: Node) -> dict[str, Value]:
    value = reader.value(node)
    if type(value) is not dict or not all(type(key) is str and len(key) <= _NAME_LIMIT for key in value):
        raise WireError("not a dict of names")
    return value


def _cotangents(value: Value) -> tuple[Value, ...]:
    if not all(item is None or is_tensor(item) for item in _tuple(value)):
        raise WireError("not cotangents")
    return _tuple(value)


def _tuple(value: Value) -> tuple[Value, ...]:
    if type(value) is not tuple:
        raise WireError("not a tuple")
    return value


def _names(node: Node) -> tuple[str, ...]:
    return tuple(_name(item) for item in _few(node))


def _name(node: Node) -> str:
    return _short(node, _NAME_LIMIT)


def _short(node: Node, longest: int) -> str:
    """Text that goes into reports: forged, it must not fill the disk."""
    if len(text(node)) > longest:
        raise WireError("a text longer than our worker gives")
    return text(node)


def _few(node: Node) -> list[Node]:
    if len(items(node)) > _FEW:
        raise WireError("more than our worker gives")
    return items(node)


def _integer(node: Node) -> int:
    if type(node) is not int:
        raise WireError("not an integer")
    return node


def _member(kind: Callable[[Any], _T], node: Node) -> _T:
    try:
        return kind(text(node))
    except ValueError:
        raise WireError(f"not a {kind}") from None
