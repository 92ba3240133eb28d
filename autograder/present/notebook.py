"""What a check says in a notebook: HTML where a browser shows it, the same lines as text where a terminal does.

Styles are inline, since nothing else survives where feedback is made of notebooks. Text keeps the reader's own colours
and only marks and tints are ours, so that light and dark themes both read well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from typing import Literal

from rich.cells import cell_len

from autograder.messages import as_html, say
from autograder.model import Finding, Question, QuestionText, Report, TestResult
from autograder.present.words import Words, shown_by

Role = Literal["title", "pass", "fail", "skip", "says", "detail", "hint", "next", "grid"]
Line = tuple[Role, str]

_GREEN, _RED, _GREY = "#1a8754", "#d63c3c", "#767676"  # on white and on black alike: a contrast of 4.5
_MARKS: dict[Role, tuple[str, str]] = {"pass": ("✓", _GREEN), "fail": ("✗", _RED), "skip": ("○", _GREY)}
_STYLES: dict[Role, str] = {
    "title": "font-weight:600",
    "says": "font-weight:600;margin:.4em 0 .1em 1.5em",
    "detail": "margin-left:1.5em;white-space:pre-wrap",
    "hint": f"margin:.4em 0 0 1.5em;padding-left:.6em;border-left:3px solid {_GREY}",
    "next": "margin-top:.4em;opacity:.8",
}
_PLACE = "padding:.15em .4em;text-align:right;border:none;font-family:monospace;background:"
_CELL, _WRONG = f"{_PLACE}none", f"{_PLACE}rgba(214,60,60,.28)"
_CAPTION = "caption-side:top;text-align:left;padding:0;color:inherit;white-space:nowrap"
_GAP = "    "


@dataclass(frozen=True, slots=True)
class Grid:
    """Two small results side by side: rows of numbers as text; `wrong` holds the places (row, column) that differ.

    Results of different shapes have no difference: `shapes` then says both, and what of each is shown.
    """

    call: str
    expected: Sequence[Sequence[str]]
    yours: Sequence[Sequence[str]]
    difference: Sequence[Sequence[str]]
    wrong: frozenset[tuple[int, int]]
    shapes: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Card:
    """Lines to show, each with its role; the grid stands where a line of that role does."""

    language: str
    lines: tuple[Line, ...]
    grid: Grid | None = None

    def __repr__(self) -> str:
        """As text."""
        return "\n".join(part for role, line in self.lines for part in self._plain(role, line))

    def _repr_html_(self) -> str:
        """As HTML; whatever is not ours is escaped."""
        inside = "".join(self._html(role, line) for role, line in self.lines)
        return f'<div lang="{escape(self.language)}" style="line-height:1.5;padding:.2em 0">{inside}</div>'

    def _plain(self, role: Role, line: str) -> list[str]:
        if role == "grid":
            return [f"{_GAP}{part}".rstrip() for part in _grid_lines(self.grid, self.language)] if self.grid else []
        if role in _MARKS:
            return [f"  {_MARKS[role][0]} {line}"]
        indent = "" if role in ("title", "next") else _GAP
        return [f"{indent}{part}" for part in line.splitlines()]

    def _html(self, role: Role, line: str) -> str:
        if role == "grid":
            return _grid_html(self.grid, self.language) if self.grid else ""
        if role in _MARKS:
            mark, colour = _MARKS[role]
            return f'<div><span style="color:{colour};font-weight:700">{mark}</span> {_marked_up(line)}</div>'
        return f'<div style="{_STYLES[role]}">{_marked_up(line)}</div>'


def check_card(report: Report, function: str, words: Words, grid: Grid | None) -> Card:
    """What a check of one function found: each of its tests, one finding with numbers, its first hint."""
    passed = sum(test.status in ("passed", "unchecked") for test in report.tests)
    title = say("card-title", words.language, name=function, passed=passed, total=len(report.tests))
    lines: list[Line] = [("title", title), *((_role(test), words.test(test.name)) for test in report.tests)]
    found = first_finding(report, words)
    lines += (
        _found(found, report, words, whole=grid is not None)
        if found
        else [("detail", line) for line in _own_words(report, words)]
    )
    return Card(words.language, tuple(lines), grid)


def first_finding(report: Report, words: Words) -> Finding | None:
    """The one that is shown."""
    return next(iter(words.in_teaching_order(report)), None)


def question_card(text: QuestionText, words: Words) -> Card:
    """A question with its options, for who has not answered yet."""
    options: list[Line] = [("detail", f"{name}: {option}") for name, option in text.options.items()]
    todo = say("ask-choose" if options else "ask-predict", words.language)
    return Card(words.language, (("title", text.asks.strip()), *options, ("next", todo)))


def answer_card(question: Question, judged: str, answer: str, given: str, words: Words) -> Card:
    """What became of an answer: `judged` is the option taken, or "right" or "wrong"; `given` is what the code gives."""
    text = words.text.questions[question.name]
    right = judged in ("right", question.answer)
    head = say("ask-right" if right else "ask-wrong", words.language, answer=answer)
    lines: list[Line] = [("pass" if right else "fail", head)]
    if question.kind == "prediction":
        lines.append(("detail", say("ask-gives", words.language, call=question.gives, given=given)))
    return Card(words.language, (*lines, ("says", text.explains[judged].strip())))


def _marked_up(line: str) -> str:
    """A line as HTML: what stands between backticks is code."""
    plain, *further = re.split(r"`([^`]+)`", line)
    pairs = zip(further[::2], further[1::2], strict=True)
    return as_html(plain) + "".join(f"<code>{escape(code)}</code>{as_html(after)}" for code, after in pairs)


def _role(test: TestResult) -> Role:
    if test.status in ("passed", "unchecked"):
        return "pass"
    return "skip" if test.status in ("skipped", "missing") else "fail"


def _found(finding: Finding, report: Report, words: Words, *, whole: bool) -> Iterator[Line]:
    """What the code does, how that shows, a hint.

    Where results are shown whole, single numbers are not: they may be of another call, and seem to contradict.
    """
    yield from (("says", line) for line in words.finding(finding))
    evidence = words.evidence(finding, report)
    if whole:
        evidence = [] if _is_of_numbers(finding, report) else evidence[:1]
    yield from (("detail", line) for line in evidence)
    yield "grid", ""
    for hint in words.hints(finding)[:1]:
        yield "hint", f"{say('hint', words.language)}: {hint}"


def _is_of_numbers(finding: Finding, report: Report) -> bool:
    """Whether what is said of the finding is which numbers differ, and not, say, an exception."""
    own = finding.property if not finding.mistakes and not finding.one_of else None
    test = shown_by(finding, report)
    shown = own or (test.message if test else None)
    return shown is not None and shown.with_.get("kind", shown.id) in ("value", "values")


def _own_words(report: Report, words: Words) -> list[str]:
    """What tests say themselves that no finding explains, each line once."""
    said = [(test.message, test.function) for test in report.tests if test.message and test.status != "passed"]
    return list(dict.fromkeys(line for message, name in said for line in words.message(message, name)))


# ----------------------------------------------------------------------------------------------------------- grids


def _blocks(grid: Grid, language: str) -> list[tuple[str, Sequence[Sequence[str]]]]:
    names = ("column-expected", "column-yours", "column-difference")
    titles = [f"{say(name, language)} {shape}".rstrip() for name, shape in zip(names, (*grid.shapes, ""), strict=True)]
    rows = (grid.expected, grid.yours, grid.difference)
    return [(title, shown) for title, shown in zip(titles, rows, strict=True) if shown]


def _grid_lines(grid: Grid, language: str) -> list[str]:
    """The blocks beside each other, cells of one width."""
    shown = [_block_lines(title, rows) for title, rows in _blocks(grid, language)]
    gaps = [" " * max(map(cell_len, lines)) for lines in shown]
    rows = zip_longest(*shown)
    return [
        grid.call,
        *(_GAP.join(part or gap for part, gap in zip(parts, gaps, strict=True)) for parts in rows),
    ]


def _block_lines(title: str, rows: Sequence[Sequence[str]]) -> list[str]:
    width = max((len(cell) for row in rows for cell in row), default=0)
    lines = [title, *(" ".join(cell.rjust(width) for cell in row) for row in rows)]
    widest = max(map(cell_len, lines))
    return [line + " " * (widest - cell_len(line)) for line in lines]


def _grid_html(grid: Grid, language: str) -> str:
    tables = "".join(_table(title, rows, grid.wrong) for title, rows in _blocks(grid, language))
    return (
        f'<div style="margin:.3em 0 0 1.5em"><div style="font-family:monospace">{escape(grid.call)}</div>'
        f'<div style="display:flex;flex-wrap:wrap;gap:.3em 1.5em;align-items:flex-start">{tables}</div></div>'
    )


def _table(title: str, rows: Sequence[Sequence[str]], wrong: frozenset[tuple[int, int]]) -> str:
    made = "".join(
        "<tr style='background:none'>"
        + "".join(
            f'<td style="{_WRONG if (row, column) in wrong else _CELL}">{escape(cell)}</td>'
            for column, cell in enumerate(cells)
        )
        + "</tr>"
        for row, cells in enumerate(rows)
    )
    caption = f'<caption style="{_CAPTION}">{escape(title)}</caption>'
    return f'<table style="border-collapse:collapse;margin:0;color:inherit;font-size:.9em">{caption}{made}</table>'
