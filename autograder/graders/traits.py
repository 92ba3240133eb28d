"""What may decide which branch of a function a call takes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from autograder.calls import Step


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
