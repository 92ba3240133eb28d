"""What may decide which branch of a function a call takes, and whether its answer is more than it was given."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from autograder.calls import Outcome, Step
from autograder.compare import leaves


def traits(step: Step) -> frozenset[str]:
    """Such as "given:mask", "true:causal", "arguments:2", "axes:3", "dtype:bfloat16"."""
    return frozenset(_traits(step))


def _traits(step: Step) -> Iterator[str]:
    yield f"arguments:{len(step.args)}"
    for name, value in step.kwargs.items():
        if value is not None:
            yield f"given:{name}"
        if value is True:
            yield f"true:{name}"
    first = next((value for value in step.args if isinstance(value, torch.Tensor | np.ndarray)), None)
    if first is not None:
        yield f"axes:{first.ndim}"
        yield f"dtype:{str(first.dtype).removeprefix('torch.')}"


def hands_back(step: Step, outcome: Outcome) -> bool:
    """Whether an answer is nothing but tensors that the call was given, number for number."""
    answers = [part for _, part in leaves(outcome.value)]
    if not answers or not all(isinstance(part, torch.Tensor) for part in answers):
        return False
    values = [part for value in (*step.args, *step.kwargs.values()) for _, part in leaves(value)]
    given = [value.cpu() for value in values if isinstance(value, torch.Tensor)]
    return all(any(part.shape == value.shape and torch.equal(part.cpu(), value) for value in given) for part in answers)
