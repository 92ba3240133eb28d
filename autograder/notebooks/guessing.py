"""Which assignment a file belongs to, where nobody said."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograder.notebooks.cells import raw_cells, read_bytes

_DEFINED = re.compile(r"^(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_LEADING_NUMBER = re.compile(r"(?:hw|ex|lesson|assignment|week|課題|第)?[\s_-]*0*(\d{1,2})(?!\d)", re.IGNORECASE)


def guess_assignment(path: Path, names_and_functions: Mapping[str, Sequence[str]]) -> str | None:
    """The assignment that a file's name or folder names, else the one whose functions it defines, else its number.

    `names_and_functions`: for each assignment what its learner writes. None where nothing fits, or several fit alike.
    The number comes last and only at the beginning of a name, since students have numbers too: "02_s04.py".
    """
    places = [path.stem, path.absolute().parent.name]
    for place in places:
        named = _named(place, names_and_functions)
        if named:
            return named
    best = _by_functions(path, names_and_functions)
    if len(best) == 1:
        return best[0]
    numbered = [name for place in places for name in _numbered(place, best or [*names_and_functions])]
    return numbered[0] if numbered else None


def _named(place: str, names: Mapping[str, Sequence[str]]) -> str | None:
    """By the whole name or by its words without the number; of several the longest."""
    spelled = re.sub(r"[\s\-.]+", "_", place.lower())
    fitting = [name for name in names if name.partition("_")[2] in spelled]
    return max(fitting, key=lambda name: (name in spelled, len(name)), default=None)


def _by_functions(path: Path, names: Mapping[str, Sequence[str]]) -> list[str]:
    """The assignments of which the file defines most; none where it defines nothing of any."""
    try:
        cells = raw_cells(read_bytes(path), path.name)
    except Exception:  # noqa: BLE001 - it is asked about all files at once, and one must not stop the others
        return []
    defined = {name for cell in cells if cell.is_code for name in _DEFINED.findall(cell.source)}
    counts = {name: len(defined & {*functions}) for name, functions in names.items()}
    most = max(counts.values(), default=0)
    return [name for name, count in counts.items() if count == most > 0]


def _numbered(place: str, names: Sequence[str]) -> list[str]:
    number = _LEADING_NUMBER.match(place)
    return [name for name in names if number and name.split("_")[0].lstrip("0") == number[1]]
