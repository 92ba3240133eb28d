"""A table of numbers coloured by size: real text, so that labels of any script are shown, copied and read aloud."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

Number = bool | int | float
LONG = 1e6

# Transparent enough for the page's own text colour, be it dark or light, to stand on them.
_POSITIVE, _NEGATIVE, _STRONGEST = "0, 114, 178", "213, 94, 0", 0.55
_CELL = "padding: 0.35em 0.7em; border: 1px solid rgba(128, 128, 128, 0.35); text-align: center"
_NAME = "padding: 0.35em 0.7em; font-weight: bold; white-space: nowrap; text-align: "


@dataclass(frozen=True, slots=True)
class Heatmap:
    """What a notebook shows; `str()` of it is the same table in plain text."""

    title: str
    corner: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[Number, ...], ...]

    def _repr_html_(self) -> str:
        strongest = max((abs(value) for row in self.values for value in row if math.isfinite(value)), default=0)
        head = "".join(f'<th scope="col" style="{_NAME}center">{escape(name)}</th>' for name in self.columns)
        body = "".join(self._row(name, row, strongest) for name, row in zip(self.rows, self.values, strict=True))
        style = f"{_NAME}left; caption-side: top; color: inherit"
        caption = f'<caption style="{style}">{escape(self.title)}</caption>' if self.title else ""
        corner = f'<td style="{_NAME}left; font-weight: normal; opacity: 0.75">{escape(self.corner)}</td>'
        return (
            f'<table style="border-collapse: collapse; font-size: 1em">{caption}'
            f"<thead><tr>{corner}{head}</tr></thead><tbody>{body}</tbody></table>"
        )

    def _row(self, name: str, row: Sequence[Number], strongest: float) -> str:
        cells = "".join(f'<td style="{_CELL}; {_fill(value, strongest)}">{_shown(value)}</td>' for value in row)
        head = f'<th scope="row" style="{_NAME}right">{escape(name)}</th>'
        return f'<tr style="background: none">{head}{cells}</tr>'

    def __repr__(self) -> str:
        lines = [[self.corner, *self.columns]]
        lines += [[name, *map(_shown, row)] for name, row in zip(self.rows, self.values, strict=True)]
        widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
        table = ["  ".join(_padded(text, width) for text, width in zip(line, widths, strict=True)) for line in lines]
        return "\n".join([*([self.title] if self.title else []), *(line.rstrip() for line in table)])


def heatmap(
    weights: Any,
    rows: Sequence[object],
    columns: Sequence[object],
    *,
    row_name: str = "",
    column_name: str = "",
    title: str = "",
) -> Heatmap:
    """Numbers or booleans `(rows, columns)`, a tensor, array or nested list, with a label for each row and column.

    The stronger the colour, the further a number is from 0; positive and negative ones have colours of their own.
    Raises ValueError where the labels do not fit the numbers.
    """
    listed = weights.tolist() if hasattr(weights, "tolist") else weights
    values = tuple(tuple(row) if isinstance(row, list | tuple) else (row,) for row in listed)
    if len(values) != len(rows) or any(len(row) != len(columns) for row in values):
        found = f"{len(values)} rows of {sorted({len(row) for row in values})}"
        raise ValueError(f"{len(rows)} names for rows and {len(columns)} for columns do not fit {found} numbers")
    corner = " / ".join(f"{name} {arrow}" for name, arrow in ((row_name, "↓"), (column_name, "→")) if name)
    return Heatmap(title, corner, tuple(map(str, rows)), tuple(map(str, columns)), values)


def _fill(value: Number, strongest: float) -> str:
    if not math.isfinite(value) or not strongest:
        return "background: none"
    colour = _POSITIVE if value >= 0 else _NEGATIVE
    return f"background: rgba({colour}, {_STRONGEST * abs(value) / strongest:.3f})"


def _shown(value: Number) -> str:
    """Two decimals; what is exactly 0 shows none, since a hidden key is told from a small weight by that.

    A number that would be a long row of digits is shown with a power of ten.
    """
    if isinstance(value, bool | int):
        return str(value)
    if LONG <= abs(value) < math.inf:
        return f"{value:.3g}"
    return "0" if value == 0 else f"{value:.2f}"


def _width(text: str) -> int:
    """Columns of a terminal: most Japanese characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))
