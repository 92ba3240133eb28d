"""The smallest call in which a learner's result differs, shown beside what was expected and how far off it is.

Of a result that is large, the part around the first place that is off; of more than two axes, the first matrix with
something wrong in it. What is shown of it is written as Python would take it: `[1][0:5, 4:9]`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import torch

from autograder.calls import Outcome, Status, Step, Value
from autograder.compare import Expected, leaves, path_text, signature
from autograder.graders.prepared import Prepared
from autograder.graders.report import size_of
from autograder.graders.session import Ran
from autograder.learn.showing import call_text
from autograder.present.notebook import Grid

MOST_ROWS, MOST_COLUMNS = 6, 6  # of what is shown whole
PART = 5  # of an axis that is longer: three such tables stand side by side


def grid_of(kit: Prepared, runs: Sequence[Ran]) -> Grid | None:
    """The grid of some runs; None where no result holds numbers, or an array of another shape, that are off."""
    found = [
        (size_of(program), grid)
        for ran in runs
        for outcome, program, expected in _asked(kit, ran)
        if (grid := _grid(call_text(program), outcome, expected))
    ]
    return min(found, key=lambda pair: pair[0])[1] if found else None


def _asked(kit: Prepared, ran: Ran) -> Iterator[tuple[Outcome, Sequence[Step], Expected]]:
    """What came back from each call, the call with those before it, and what the reference gives."""
    recording = kit.recording(ran.key)
    for index, (outcome, expected) in enumerate(zip(ran.outcomes, recording.expected, strict=False)):
        yield outcome, recording.steps[: index + 1], expected


def _grid(call: str, outcome: Outcome, expected: Expected) -> Grid | None:
    if outcome.status is not Status.RETURNED or expected.plain.status is not Status.RETURNED:
        return None
    parts = zip(leaves(outcome.value), leaves(expected.plain.value), leaves(expected.exact.value), strict=False)
    for (path, mine), (other, plain), (_, exact) in parts:
        if path == other and (grid := _of_part(call + path_text(path), mine, plain, exact)):
            return grid
    return None


def _of_part(call: str, mine: Value, plain: Value, exact: Value) -> Grid | None:
    own, wanted = _numbers(mine), _numbers(plain)
    if own is None or wanted is None or _is_array(mine) != _is_array(plain):
        return None
    if own.shape != wanted.shape:
        return _beside(call, wanted, own)
    wrong = _wrong(own, wanted, exact) if _is_array(plain) else _wrong(mine, plain, exact)
    return None if wrong is None else _compared(call, wanted, own, wrong.reshape(own.shape))


def _is_array(value: Value) -> bool:
    return isinstance(value, torch.Tensor | np.ndarray) and value.ndim > 0


def _numbers(value: Value) -> torch.Tensor | None:
    """A tensor, an array or a number as a tensor of at least one axis; None for what holds no real numbers."""
    if isinstance(value, torch.Tensor):
        found = value.detach().cpu()
    elif isinstance(value, np.ndarray | np.generic | int | float):
        array = np.asarray(value)
        if array.dtype.kind not in "biuf":
            return None
        is_known = array.dtype in (bool, np.int64, np.float32, np.float64)
        found = torch.from_numpy(np.array(array if is_known else array.astype(np.float64)))
    else:
        return None
    return None if found.numel() == 0 or found.is_complex() else found.reshape(found.shape or (1,))


def _wrong(mine: Value, plain: Value, exact: Value) -> torch.Tensor | None:
    """Which elements are off, by the policy that everything is judged by; None where none is."""
    expected = Expected(Outcome(Status.RETURNED, plain), Outcome(Status.RETURNED, exact))
    own, wanted = (signature(Outcome(Status.RETURNED, value), expected) for value in (mine, plain))
    if own.numbers.shape != wanted.numbers.shape:
        return None
    alike = (own.numbers == wanted.numbers) | (np.isnan(own.numbers) & np.isnan(wanted.numbers))
    finite = np.isfinite(own.numbers) & np.isfinite(wanted.numbers)
    gap = np.subtract(own.numbers, wanted.numbers, out=np.zeros_like(wanted.numbers), where=finite)
    off = ~alike & ~(finite & (abs(gap) <= wanted.bounds))
    return torch.from_numpy(off) if off.any() else None


# ---------------------------------------------------------------------------------------------------- what is shown


def _compared(call: str, plain: torch.Tensor, mine: torch.Tensor, wrong: torch.Tensor) -> Grid:
    """Two results of one shape, and how far one is from the other."""
    first = tuple(wrong.nonzero()[0].tolist())
    plain, mine, wrong = (value[first[:-2]] for value in (plain, mine, wrong))
    window = _window(plain.shape, first[-2:])
    plain, mine, wrong = (value[window].reshape(-1, value[window].shape[-1]) for value in (plain, mine, wrong))
    places = frozenset((int(row), int(column)) for row, column in wrong.nonzero())
    shown = f"{call}{_place(first[:-2])}{_cut(window)}"
    return Grid(shown, _texts(plain), _texts(mine), _differences(mine, plain, wrong), places)


def _beside(call: str, plain: torch.Tensor, mine: torch.Tensor) -> Grid:
    """Two results of different shapes, from their first numbers on."""
    (expected, wanted), (yours, own) = _begun(plain), _begun(mine)
    return Grid(call, expected, yours, difference=(), wrong=frozenset(), shapes=(wanted, own))


def _begun(value: torch.Tensor) -> tuple[list[list[str]], str]:
    """The first numbers of a result; its shape, and what of it they are."""
    first = (0,) * (value.ndim - 2)
    matrix = value[first]
    window = _window(matrix.shape, (0,) * matrix.ndim)
    place = _place(first) + _cut(window)
    shown = matrix[window]
    return _texts(shown.reshape(-1, shown.shape[-1])), f"{tuple(value.shape)} {place}".rstrip()


def _window(shape: Sequence[int], first: Sequence[int]) -> tuple[slice, ...]:
    """What is shown of a row or matrix: an axis that is short wholly, else a part of it that holds a given place."""
    most = (MOST_ROWS, MOST_COLUMNS)[-len(shape) :]
    parts = []
    for size, at, whole in zip(shape, first, most, strict=True):
        start = max(0, min(at - 1, size - PART))
        parts.append(slice(None) if size <= whole else slice(start, start + PART))
    return tuple(parts)


def _place(index: Sequence[int]) -> str:
    return "".join(f"[{number}]" for number in index)


def _cut(window: Sequence[slice]) -> str:
    """A window as it is typed; empty for one that shows everything."""
    texts = [":" if part.start is None else f"{part.start}:{part.stop}" for part in window]
    return "" if set(texts) == {":"} else f"[{', '.join(texts)}]"


def _texts(matrix: torch.Tensor) -> list[list[str]]:
    return [[_text(number) for number in row] for row in matrix.tolist()]


def _text(number: float) -> str:
    return str(number) if isinstance(number, bool | int) else f"{number:.3g}"


def _differences(mine: torch.Tensor, plain: torch.Tensor, wrong: torch.Tensor) -> list[list[str]]:
    """Yours less expected, where something is wrong; of booleans, and where NaN stands, only that it is."""
    if mine.dtype is torch.bool or plain.dtype is torch.bool:
        gap = torch.full(mine.shape, math.nan)
    else:
        gap = mine.double() - plain.double()
    return [
        ["·" if not off else "≠" if math.isnan(number) else f"{number:+.3g}" for number, off in zip(*pair, strict=True)]
        for pair in zip(gap.tolist(), wrong.tolist(), strict=True)
    ]
