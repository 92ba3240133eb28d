"""Calls and results as short plain text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from autograder.calls import Action, Callback, Handle, Helper, Outcome, Status, Step, Value
from autograder.compare import leaves, type_text
from autograder.model import Message

MOST_NUMBERS = 16  # a larger result is shown by one of its numbers
LONGEST = 120  # characters of a call; in a longer one every array stands by its shape


Names = Mapping[int, str]
"""What objects are called, by the numbers of their handles."""


def call_text(program: Sequence[Step]) -> str:
    """The last call of a program as a learner would type it, after whatever made the objects that it needs.

    Tensors and arrays that are not small stand there by their shape, and all of them where the call would be long.
    """
    names = _names(program)
    # A part of an object, which is named where it is used, stands for the whole: what is done with it changes that.
    whole = {step.into.number: step.on.number for step in program if step.into and step.on}
    *before, last = program
    needed = _objects_in(last, whole)
    told = [_line(last, names)]
    for step in reversed(before):
        makes = step.into is not None and step.into.number in needed
        if makes or (_may_change(step) and needed & _objects_in(step, whole)):
            needed |= _objects_in(step, whole)
            told.append(f"{names[step.into.number]} = {_line(step, names)}" if step.into else _line(step, names))
    return "; ".join(reversed(told))


def _may_change(step: Step) -> bool:
    """Whether a step may leave an object other than it was, as far as a learner's code goes."""
    return step.action is Action.CALL or (step.action is Action.METHOD and step.name != "__call__")


def _line(step: Step, names: Names) -> str:
    name = step.name
    if step.on is not None:
        owner = names[step.on.number]
        name = owner if name == "__call__" else f"{owner}.{name}"
    if step.action is Action.GET:
        return name
    whole = f"{name}({_arguments(step, names, MOST_NUMBERS)})"
    return whole if len(whole) <= LONGEST else f"{name}({_arguments(step, names, 0)})"


def _arguments(step: Step, names: Names, most: int) -> str:
    """What a step is given; arrays of more numbers than `most` by their shape."""
    parts = [value_text(value, names, most) for value in step.args]
    return ", ".join([*parts, *(f"{name}={value_text(value, names, most)}" for name, value in step.kwargs.items())])


def _names(program: Sequence[Step]) -> Names:
    """An object that is called is a layer; any other is named by the last word of what made it."""
    called = {step.on.number for step in program if step.on is not None and step.name == "__call__"}
    names: dict[int, str] = {}
    for step in program:
        if step.into is not None:
            number = step.into.number
            word = "layer" if number in called else _WORD.findall(step.name)[-1].lower()
            part = f"{names[step.on.number]}.{step.name}" if step.on is not None else word
            names[number] = part if part not in names.values() else f"{part}_{number}"
    return names


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")


def _objects_in(step: Step, whole: Mapping[int, int]) -> set[int]:
    """The objects that a step is done on or given; for a part, what it is a part of."""
    values = [part for value in (*step.args, *step.kwargs.values()) for _, part in leaves(value)]
    return {whole.get(value.number, value.number) for value in (*values, step.on) if isinstance(value, Handle)}


def result_text(outcome: Outcome) -> str:
    """A whole result, where it is small; empty where it is not."""
    if outcome.status is not Status.RETURNED:
        return outcome.raised.type_name if outcome.raised else str(outcome.status)
    small = all(_count(part) <= MOST_NUMBERS for _, part in leaves(outcome.value))
    return value_text(outcome.value) if small else ""


def value_text(value: Value, names: Names | None = None, most: int = MOST_NUMBERS) -> str:
    """A value, numbers to three digits; arrays of more numbers than `most` by their shape, objects by their names."""
    if isinstance(value, (torch.Tensor, np.ndarray)):
        return _nested(value.tolist()) if _count(value) <= most else type_text(value)
    if isinstance(value, (tuple, list)):
        inside = ", ".join(value_text(part, names, most) for part in value)
        return f"({inside})" if isinstance(value, tuple) else f"[{inside}]"
    if isinstance(value, (Handle, Helper, Callback)):
        return (names or {}).get(value.number, "layer") if isinstance(value, Handle) else value.name
    return _nested(value)


def _nested(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_nested, value))}]"
    return f"{value:.3g}" if isinstance(value, float) else repr(value) if isinstance(value, str) else str(value)


def _count(value: Value) -> int:
    return int(np.prod(value.shape)) if isinstance(value, (torch.Tensor, np.ndarray)) else 1


def without_code(message: Message) -> Message:
    """A message without the line of code that it quotes."""
    hidden = {"code": "", "file": "", "line": 0} if message.id == "raised" else {}
    return Message(message.id, {**message.with_, **hidden})
