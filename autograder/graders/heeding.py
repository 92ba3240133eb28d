"""What a mistaken world still heeds of all that matters to the reference.

Where it heeds a mask nowhere, say, calls with a mask say little of the function that they ask: in such a world it may
ignore the mask and be right. Found out by turning around, one by one, whatever calls are given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from autograder.calls import Outcome, Status, Step, Value
from autograder.compare import CLEARLY, Expected, apart, signature
from autograder.targets import Target

Ask = Callable[[Target, Sequence[Step]], list[Outcome]]
Place = tuple[str, ...]
"""Something that a program gives: the call, the argument, and in a dict of parameters the name."""


@dataclass(frozen=True, slots=True)
class Heed:
    """Of all that a program gives: what moves the reference's answers, and what of it those of a mistaken world."""

    matters: frozenset[Place]
    heeded: frozenset[Place]


def heed(steps: Sequence[Step], callbacks: Callable[[], Mapping[str, Any]], reference: Target, world: Target) -> Heed:
    """What of a test's program is heeded: plain calls by themselves, objects with all that is done to them."""

    def ask(target: Target, program: Sequence[Step]) -> list[Outcome]:
        target.begin(callbacks())
        return [target.perform(step) for step in program]

    programs = [list(steps)] if any(step.on or step.into for step in steps) else [[step] for step in steps]
    found = [part for program in programs for part in _moving(program, reference, world, ask)]
    return Heed(frozenset(place for place, _ in found), frozenset(place for place, heeded in found if heeded))


def _moving(program: Sequence[Step], reference: Target, world: Target, ask: Ask) -> Iterator[tuple[Place, bool]]:
    """Each thing that matters to the reference, and whether it does to the world."""
    right, mistaken = ask(reference, program), ask(world, program)
    for place, varied in _varied(program):
        answers = ask(reference, varied)
        if all(answer.status is Status.RETURNED for answer in answers) and _moved(answers, right, CLEARLY):
            yield place, _moved(ask(world, varied), mistaken, 1.0)


def _moved(answers: Sequence[Outcome], before: Sequence[Outcome], least: float) -> bool:
    """Whether some answer is at least so far from what it was, in units of what may be an error of rounding."""
    expected = [Expected(outcome, outcome) for outcome in before]
    pairs = zip(answers, before, expected, strict=True)
    return any(apart(signature(new, known), signature(old, known)) > least for new, old, known in pairs)


def _varied(program: Sequence[Step]) -> Iterator[tuple[Place, list[Step]]]:
    """The program with one thing that it gives turned around."""
    for index, step in enumerate(program):
        for place, changed in _turned_steps(step):
            yield (step.name, *place), [*program[:index], changed, *program[index + 1 :]]


def _turned_steps(step: Step) -> Iterator[tuple[Place, Step]]:
    for index, value in enumerate(step.args):
        for place, turned in _turned(value):
            yield (str(index), *place), replace(step, args=(*step.args[:index], turned, *step.args[index + 1 :]))
    for name, value in step.kwargs.items():
        for place, turned in _turned(value):
            yield (name, *place), replace(step, kwargs={**step.kwargs, name: turned})


def _turned(value: Value) -> Iterator[tuple[Place, Value]]:
    """Something else of the same shape and dtype, as far as that can be had; parameters one by one."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from (((str(name), *place), {**value, name: turned}) for place, turned in _turned(part))
    elif value is True:
        yield (), False
    elif isinstance(value, torch.Tensor):
        yield (), ~value if value.dtype is torch.bool else _other(value, value.flip(tuple(range(value.ndim))))
    elif isinstance(value, np.ndarray) and value.dtype.kind in "bif":
        yield (), ~value if value.dtype.kind == "b" else _other(value, np.flip(value))


def _other(value: Any, flipped: Any) -> Any:
    """Numbers in the other order: real ones with the other sign, whole ones, where that changes nothing, halved."""
    whole = not value.is_floating_point() if isinstance(value, torch.Tensor) else value.dtype.kind == "i"
    if not whole:
        return -flipped
    return value // 2 if bool((flipped == value).all()) else flipped
