"""The smallest call in which a learner's result differs, shown whole beside what was expected."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from autograder.calls import Outcome, Status, Value
from autograder.compare import Expected, leaves, signature
from autograder.graders.prepared import Prepared
from autograder.graders.report import numbers_in
from autograder.graders.session import Ran
from autograder.learn.showing import call_text
from autograder.present.notebook import Grid

MOST_ROWS, MOST_COLUMNS = 6, 8


def grid_of(kit: Prepared, runs: Sequence[Ran]) -> Grid | None:
    """The grid of some runs; None where no small result of the right shape holds other numbers."""
    found = [
        (numbers_in(step.args, step.kwargs), grid)
        for ran in runs
        for outcome, step, expected in _differing(kit, ran)
        if (grid := _grid(call_text(step), outcome, expected))
    ]
    return min(found, key=lambda pair: pair[0])[1] if found else None


def _differing(kit: Prepared, ran: Ran):  # type: ignore[no-untyped-def] # noqa: ANN202
    recording = kit.recording(ran.key)
    return zip(ran.outcomes, recording.steps, recording.expected, strict=False)


def _grid(call: str, outcome: Outcome, expected: Expected) -> Grid | None:
    if outcome.status is not Status.RETURNED or expected.plain.status is not Status.RETURNED:
        return None
    pairs = zip(leaves(outcome.value), leaves(expected.plain.value), leaves(expected.exact.value), strict=False)
    for (path, mine), (other, plain), (_, exact) in pairs:
        if path == other and _is_small(mine) and _is_small(plain) and mine.shape == plain.shape:
            wrong = _wrong(mine, plain, exact)
            if bool(wrong.any()):
                return _shown(f"{call}{path}", mine, plain, wrong)
    return None


def _is_small(value: Value) -> bool:
    if not isinstance(value, torch.Tensor) or value.ndim == 0 or value.numel() == 0:
        return False
    return value.shape[-1] <= MOST_COLUMNS and (value.ndim == 1 or value.shape[-2] <= MOST_ROWS)


def _wrong(mine: torch.Tensor, plain: torch.Tensor, exact: torch.Tensor) -> torch.Tensor:
    """Which elements are off, by the policy that everything is judged by."""
    own, wanted = (
        signature(
            Outcome(Status.RETURNED, value), Expected(Outcome(Status.RETURNED, plain), Outcome(Status.RETURNED, exact))
        )
        for value in (mine, plain)
    )
    near = torch.from_numpy((own.numbers == wanted.numbers) | (abs(own.numbers - wanted.numbers) <= wanted.bounds))
    return ~near.reshape(mine.shape)


def _shown(call: str, mine: torch.Tensor, plain: torch.Tensor, wrong: torch.Tensor) -> Grid:
    """Of more than two axes, the first matrix with something wrong in it."""
    while mine.ndim > 2:  # noqa: PLR2004 - a matrix
        first = int(wrong.flatten(1).any(1).nonzero()[0])
        mine, plain, wrong, call = mine[first], plain[first], wrong[first], f"{call}[{first}]"
    mine, plain, wrong = (value.reshape(-1, value.shape[-1]) for value in (mine, plain, wrong))
    places = frozenset((int(row), int(column)) for row, column in wrong.nonzero())
    rows = (_texts(plain), _texts(mine), _differences(mine, plain, wrong))
    return Grid(call, *rows, places)


def _texts(matrix: torch.Tensor) -> list[list[str]]:
    return [[_text(number) for number in row] for row in matrix.tolist()]


def _text(number: float) -> str:
    return str(number) if isinstance(number, (bool, int)) else f"{number:.3g}"


def _differences(mine: torch.Tensor, plain: torch.Tensor, wrong: torch.Tensor) -> list[list[str]]:
    """Yours less expected, where something is wrong; of booleans only that it is."""
    if mine.dtype is torch.bool or plain.dtype is torch.bool:
        return [["≠" if off else "·" for off in row] for row in wrong.tolist()]
    gap = (mine.double() - plain.double()).tolist()
    return [
        [f"{number:+.3g}" if off else "·" for number, off in zip(*pair, strict=True)]
        for pair in zip(gap, wrong.tolist(), strict=True)
    ]
