"""Calls and results as short plain text."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from autograder.calls import Action, Callback, Handle, Helper, Outcome, Status, Step, Value
from autograder.compare import leaves, type_text
from autograder.model import Message

MOST_NUMBERS = 16  # a larger result is shown by one of its numbers


def call_text(step: Step) -> str:
    """A call as a learner would type it; tensors and arrays that are not small by their shape."""
    parts = [*map(value_text, step.args), *(f"{name}={value_text(value)}" for name, value in step.kwargs.items())]
    name = {Action.METHOD: "layer" if step.name == "__call__" else f"layer.{step.name}"}.get(step.action, step.name)
    return f"{name}({', '.join(parts)})"


def result_text(outcome: Outcome) -> str:
    """A whole result, where it is small; empty where it is not."""
    if outcome.status is not Status.RETURNED:
        return outcome.raised.type_name if outcome.raised else str(outcome.status)
    small = all(_count(part) <= MOST_NUMBERS for _, part in leaves(outcome.value))
    return value_text(outcome.value) if small else ""


def value_text(value: Value) -> str:
    """A value, numbers to three digits."""
    if isinstance(value, (torch.Tensor, np.ndarray)):
        return _nested(value.tolist()) if _count(value) <= MOST_NUMBERS else type_text(value)
    if isinstance(value, (tuple, list)):
        inside = ", ".join(map(value_text, value))
        return f"({inside})" if isinstance(value, tuple) else f"[{inside}]"
    if isinstance(value, (Handle, Helper, Callback)):
        return "layer" if isinstance(value, Handle) else value.name
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
