"""A lesson -> the cells of its notebook: what stands in each slot, and the name by which each cell is known.

Names come from the slots, not from places: a cell keeps its name when something is put in before it. They are the
same in every language. A hyphen keeps the kit's own names apart from those of functions and classes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from autograder.content.demonstrations import with_messages
from autograder.content.lessons import Lessons, Piece
from autograder.messages import say
from autograder.model import Assignment
from autograder.notebooks.stubs import imports, stub

Role = Literal["prose", "kit", "answer", "check", "question", "written"]

SETUP = "lesson-setup"
_LIBRARIES = frozenset({"matplotlib", "numpy", "torch"})


class LessonCell(msgspec.Struct, frozen=True):
    """A cell of the notebook that is handed out; `points` are those of the function that a check cell checks."""

    name: str
    role: Role
    source: str
    points: float = 0

    @property
    def is_code(self) -> bool:
        """Whether it is run."""
        return self.role not in ("prose", "written")


def lesson_cells(assignment: Assignment, lessons: Lessons, language: str) -> tuple[LessonCell, ...]:
    """The cells of one language's notebook, in order. The kit's first code cell comes after the opening words."""
    setup = _setup(assignment, lessons, language)
    cells: list[LessonCell] = []
    before = "text-opening"  # the name of prose that stands here
    for piece in lessons.pieces[language]:
        if piece.kind == "prose":
            cells += _prose(piece.text, before)
        else:
            cells.append(_slot(piece, assignment, lessons, language))
            before = f"text-after-{piece.kind}-{piece.text}"
    opening = int(bool(cells) and cells[0].role == "prose")
    return (*cells[:opening], setup, *cells[opening:])


def _prose(text: str, name: str) -> Iterator[LessonCell]:
    """A cell for each section, so that a heading folds what belongs to it."""
    sections: list[list[str]] = [[]]
    in_code = False
    for line in text.split("\n"):
        in_code ^= line.lstrip().startswith(("```", "~~~"))
        if line.startswith("## ") and not in_code and sections[-1]:
            sections.append([])
        sections[-1].append(line)
    for number, section in enumerate(sections, 1):
        numbered = name if number == 1 else f"{name}-{number}"
        yield LessonCell(numbered, "prose", "\n".join(section).strip("\n"))


def _setup(assignment: Assignment, lessons: Lessons, language: str) -> LessonCell:
    """What the answers and demonstrations need, and the lesson itself."""
    ours = "from autograder.learn import lesson"
    needed = dict.fromkeys([*imports(assignment.solution), *lessons.demonstrations.imports, ours])
    lines = sorted(needed, key=_import_order)
    source = "\n".join([*lines, "", f'check, ask = lesson("{assignment.name}", language="{language}")'])
    return LessonCell(SETUP, "kit", source)


def _import_order(line: str) -> tuple[int, str]:
    """Python's own first, then libraries, ours last, as people sort them."""
    module = line.split()[1]
    package = module.split(".")[0]
    return 2 if package in ("autograder", "helpers") else int(package in _LIBRARIES), module


def _slot(piece: Piece, assignment: Assignment, lessons: Lessons, language: str) -> LessonCell:
    name = piece.text
    match piece.kind:
        case "solution":
            return LessonCell(name, "answer", stub(assignment, name, language))
        case "check":
            points = next(spec.points for spec in assignment.functions if spec.name == name)
            return LessonCell(f"check-{name}", "check", f"check({name})", points)
        case "ask":
            return LessonCell(f"ask-{name}", "question", f'ask("{name}", answer=...)')
        case "write":
            return LessonCell(f"write-{name}", "written", say("write-here", language))
        case _:
            source = next(cell.source for cell in lessons.demonstrations.cells if cell.name == name)
            return LessonCell(f"cell-{name}", "kit", with_messages(source, assignment.texts[language].messages))
