"""The notebook that people open when a submission has been graded: ours, with the learner's answers put in.

It is made anew from the notebook handed out, so that deleted, edited or copied cells, another kernel or megabytes of
output never reach nbgrader, whose metadata is ours throughout. Nothing of it has been run.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from autograder.course.reports import harmless
from autograder.messages import inert
from autograder.model import ContentError
from autograder.notebooks import Written

_ASKED = re.compile(r"ask\(\s*[\"']([\w-]+)[\"']")
_LONGEST = 2**16  # characters of one answer: what a page can show

Cell = dict[str, Any]


class Marks(msgspec.Struct, frozen=True):
    """nbgrader's marks of one cell of a notebook handed out."""

    grade_id: str
    grade: bool
    solution: bool
    locked: bool
    points: float
    cell_type: str
    source: str

    @property
    def is_manual(self) -> bool:
        """An answer that people grade."""
        return self.grade and self.solution


class Release:
    """A built notebook. Raises ContentError where it cannot be read."""

    def __init__(self, path: Path) -> None:
        try:
            self._notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            self.marks = tuple(_marks(cell) for cell in self._notebook["cells"] if "nbgrader" in cell["metadata"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ContentError(f"{path}: is not a built notebook: {type(error).__name__}: {error}") from error

    @property
    def kernelspec(self) -> str:
        """As nbgrader keeps it."""
        return json.dumps(self._notebook["metadata"].get("kernelspec", {}))

    def unanswered(self, found: Written) -> frozenset[str]:
        """Written answers that are as handed out, or not there."""
        return frozenset(
            mark.grade_id
            for mark in self.marks
            if mark.is_manual and found.answers.get(mark.grade_id, mark.source).strip() in ("", mark.source.strip())
        )

    def filled(self, found: Written, cards: Mapping[str, tuple[float, str]]) -> bytes:
        """The notebook with `found` in it, and below each check cell, by grade id, its score and HTML."""
        cells = [_filled(cell, found, cards) for cell in copy.deepcopy(self._notebook["cells"])]
        whole = self._notebook | {"cells": _with_own(cells, found)}
        return (harmless(json.dumps(whole, ensure_ascii=False, indent=1)) + "\n").encode("utf-8", "replace")


def _marks(cell: Cell) -> Marks:
    marks = cell["metadata"]["nbgrader"]
    flags = {flag: bool(marks[flag]) for flag in ("grade", "solution", "locked")}
    points = float(marks["points"]) if flags["grade"] else 0.0
    return Marks(marks["grade_id"], **flags, points=points, cell_type=cell["cell_type"], source=_text(cell["source"]))


def _text(source: str | list[str]) -> str:
    return source if isinstance(source, str) else "".join(source)


def _grade_id(cell: Cell) -> str:
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def _filled(cell: Cell, found: Written, cards: Mapping[str, tuple[float, str]]) -> Cell:
    name = _grade_id(cell)
    if cell["metadata"].get("nbgrader", {}).get("solution") and name in found.answers:
        answer = found.answers[name][:_LONGEST]
        cell["source"] = answer if cell["cell_type"] == "code" else inert(answer)
    if name in cards and cell["cell_type"] == "code":
        score, html = cards[name]
        data = {"text/html": html, "text/plain": repr(score)}
        shown = {"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"}
        cell["outputs"] = [shown]
    return cell


def _with_own(cells: list[Cell], found: Written) -> list[Cell]:
    """The learner's own cells: an answered question in its place, any other after the kit's cell that it followed."""
    questions = {match[1]: cell for cell in cells if (match := _question(cell)) is not None}
    known = {_grade_id(cell) for cell in cells} - {""}
    own: dict[str, list[Cell]] = {}  # by the cell that they follow; "" comes before all
    for number, added in enumerate(found.own):
        source = added.source[:_LONGEST]
        asked = _ASKED.match(source)
        if asked and asked[1] in questions:
            questions[asked[1]]["source"] = source
        else:
            own.setdefault(added.after if added.after in known else "", []).append(_own(number, source))
    following = ((cell, own.get(name, []) if (name := _grade_id(cell)) else []) for cell in cells)
    return [*own.get("", []), *(part for cell, added in following for part in (cell, *added))]


def _own(number: int, source: str) -> Cell:
    digest = hashlib.sha256(f"{number} {source}".encode("utf-8", "replace")).hexdigest()[:12]
    made: Cell = {"cell_type": "code", "execution_count": None, "id": f"own-{digest}", "outputs": []}
    return made | {"metadata": {}, "source": source}


def _question(cell: Cell) -> re.Match[str] | None:
    is_ours = cell["cell_type"] == "code" and "nbgrader" not in cell["metadata"]
    return _ASKED.match(_text(cell["source"])) if is_ours else None
