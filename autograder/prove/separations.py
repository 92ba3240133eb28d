"""Calls that would tell two mistakes apart where the recorded ones do not: suggestions for the author of the tests.

Asked of every two mistakes that some finding could not choose between, and of those that are said to look alike. The
recorded calls are varied one thing at a time, smallest first, until the two mistaken worlds part on one that the
reference answers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

import torch

from autograder.calls import Action, Callback, Handle, Helper, Status, Step, Value
from autograder.compare import CLEARLY, Expected, apart, leaves, signature, type_text
from autograder.graders.report import numbers_in
from autograder.model import Mistake
from autograder.prove.prover import Prover
from autograder.targets.inprocess import InProcess

Change = Callable[[torch.Tensor], torch.Tensor]

_NUMBERS: dict[str, Change] = {
    "times 12": lambda t: t * 12,
    "times 1000": lambda t: t * 1000,
    "over 1000": lambda t: t / 1000,
    "plus 100": lambda t: t + 100,
    "all zero": torch.zeros_like,
    "all equal": torch.ones_like,
    "in bfloat16": lambda t: t.bfloat16(),
    "in float64": lambda t: t.double(),
    "its first slice alone": lambda t: t[:1] if t.ndim else t,
    "with one axis more": lambda t: t[None],
    "not contiguous": lambda t: t.transpose(0, -1).contiguous().transpose(0, -1) if t.ndim else t,
}
_TRUTHS: dict[str, Change] = {
    "inverted": torch.logical_not,
    "all True": torch.ones_like,
    "all False": torch.zeros_like,
}


def suggest_calls(prover: Prover) -> None:
    """Adds a line to the figure `separations` for each two mistakes that a varied call tells apart."""
    known = {mistake.id: mistake for mistake in prover.assignment.mistakes if not mistake.retired}
    alike = {frozenset((mistake.id, other)) for mistake in known.values() for other in mistake.looks_like}
    pairs = sorted(tuple(sorted(pair)) for pair in alike | prover.undecided if pair <= known.keys())
    lines = [line for one, other in pairs if (line := _separation(prover, known[one], known[other]))]
    prover.figures["separations"] = lines


def _separation(prover: Prover, one: Mistake, other: Mistake) -> str:
    """Says which call would tell two mistakes apart; empty where none of those tried does."""
    cases = (one.cases[0], other.cases[0])
    worlds = [prover.kit.edited(edits) for edits in ((), (cases[0],), (cases[1],))]
    calls = prover.assignment.calls
    for step in _plain_calls(prover):
        if all(case.function in calls.get(step.name, (step.name,)) for case in cases):
            for what, varied in _variations(step):
                if _parts(worlds, varied):
                    return f"{one.id} and {other.id}: {step.name}({_described(step)}), {what}"
    return ""


def _plain_calls(prover: Prover) -> list[Step]:
    """The recorded calls of functions on plain values, those with fewest numbers first."""
    steps = [step for recording in prover.kit.recordings.values() for step in recording.steps]
    plain = [step for step in steps if step.action is Action.CALL and not _has_objects(step)]
    return sorted(plain, key=lambda step: numbers_in(step.args, step.kwargs))


def _has_objects(step: Step) -> bool:
    values = (*step.args, *step.kwargs.values())
    return any(isinstance(part, Handle | Helper | Callback) for value in values for _, part in leaves(value))


def _variations(step: Step) -> Iterator[tuple[str, Step]]:
    """A call with one of its arguments, or all tensors, changed; with an optional argument left out."""
    step = replace(step, cotangents=None)
    places: list[int | str] = [*range(len(step.args)), *step.kwargs]
    for what, change in (*_NUMBERS.items(), *_TRUTHS.items()):
        truths = what in _TRUTHS
        fitting = [place for place in places if _fits(_argument(step, place), truths=truths)]
        chosen = [[place] for place in fitting] + ([fitting] if len(fitting) > 1 else [])
        for where in chosen:
            names = ", ".join(map(str, where))
            yield f"argument {names} {what}", _changed(step, where, change)
    for name in step.kwargs:
        yield f"without {name}", replace(step, kwargs={k: v for k, v in step.kwargs.items() if k != name})


def _fits(value: Value, *, truths: bool) -> bool:
    return isinstance(value, torch.Tensor) and (value.dtype is torch.bool if truths else value.is_floating_point())


def _argument(step: Step, place: int | str) -> Value:
    return step.args[place] if isinstance(place, int) else step.kwargs[place]


def _changed(step: Step, places: list[int | str], change: Change) -> Step:
    args = tuple(change(value) if index in places else value for index, value in enumerate(step.args))
    kwargs = {name: change(value) if name in places else value for name, value in step.kwargs.items()}
    return replace(step, args=args, kwargs=kwargs)


def _parts(worlds: list[InProcess], step: Step) -> bool:
    """Whether two mistaken worlds clearly differ on a call to which the reference gives finite numbers."""
    for world in worlds:
        world.begin({})
    right, one, other = (world.perform(step) for world in worlds)
    tensors = [value for _, value in leaves(right.value) if isinstance(value, torch.Tensor)]
    if right.status is not Status.RETURNED or not all(bool(value.isfinite().all()) for value in tensors):
        return False
    expected = Expected(right, right)
    return apart(signature(one, expected), signature(other, expected)) >= CLEARLY


def _described(step: Step) -> str:
    named = ((f"{name}=", value) for name, value in step.kwargs.items())
    return ", ".join(name + type_text(value) for name, value in itertools.chain((("", a) for a in step.args), named))
