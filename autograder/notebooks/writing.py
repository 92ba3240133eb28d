"""The cells of a lesson -> a notebook, and the same as a percent script, with the marks by which nbgrader knows them.

The text is made from the cells alone: built twice, or on another machine, it is the same byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import nbformat
from nbformat import v4

from autograder.notebooks.lessons import LessonCell, Role

_SCHEMA = 3  # of nbgrader's metadata
_KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
_LANGUAGE = {"file_extension": ".py", "mimetype": "text/x-python", "name": "python", "pygments_lexer": "ipython3"}

# grade, locked, solution. A question is none of these: it is edited, and graded by nobody.
_FLAGS: dict[Role, tuple[bool, bool, bool]] = {
    "prose": (False, True, False),
    "kit": (False, True, False),
    "answer": (False, False, True),
    "check": (True, True, False),
    "written": (True, False, True),
}


class About(msgspec.Struct, frozen=True):
    """Which notebook it is."""

    assignment: str
    version: int
    language: str


def notebook(cells: Sequence[LessonCell], about: About) -> str:
    """A notebook's text in nbformat 4.5. Raises nbformat.ValidationError for names that no notebook can hold."""
    made = v4.new_notebook(  # type: ignore[no-untyped-call]
        cells=[_notebook_cell(cell) for cell in cells],
        metadata={"attn": msgspec.to_builtins(about), "kernelspec": _KERNEL, "language_info": _LANGUAGE},
    )
    made.nbformat_minor = 5  # not whatever the installed nbformat has newest
    nbformat.validate(made)
    text: str = nbformat.writes(made, version=nbformat.NO_CONVERT)  # type: ignore[no-untyped-call]
    return text + "\n"


def script(cells: Sequence[LessonCell], about: About) -> str:
    """The same cells as a script in percent format, which runs from the top and which jupytext opens."""
    return "\n".join([*_header(about), *(line for cell in cells for line in _script_cell(cell)), ""])


def _notebook_cell(cell: LessonCell) -> Any:
    make = v4.new_code_cell if cell.is_code else v4.new_markdown_cell
    return make(source=cell.source, id=cell.name, metadata=_metadata(cell))  # type: ignore[no-untyped-call]


def _metadata(cell: LessonCell) -> dict[str, Any]:
    """Locked cells are not edited or deleted by accident, answers are not deleted.

    The type at release tells a reader of an answer that a slip of the hand turned into text.
    """
    if cell.role not in _FLAGS:
        return {}
    grade, locked, solution = _FLAGS[cell.role]
    marks: dict[str, Any] = {"cell_type": "code" if cell.is_code else "markdown", "grade": grade, "grade_id": cell.name}
    marks |= {"locked": locked} | ({"points": cell.points} if grade else {})
    marks |= {"schema_version": _SCHEMA, "solution": solution, "task": False}
    return {"deletable": False, "nbgrader": marks} | ({"editable": False} if locked else {})


def _header(about: About) -> list[str]:
    """What jupytext keeps of a notebook's metadata."""
    lines = ["---", "jupyter:", "  attn:"]
    lines += [f"    {key}: {value}" for key, value in msgspec.to_builtins(about).items()]
    lines += ["  kernelspec:", *(f"    {key}: {value}" for key, value in _KERNEL.items()), "---"]
    return [f"# {line}" for line in lines]


def _script_cell(cell: LessonCell) -> Iterator[str]:
    marks = _metadata(cell).get("nbgrader")
    kind = "" if cell.is_code else " [markdown]"
    yield ""
    yield f"# %%{kind}" + (f" nbgrader={json.dumps(marks)}" if marks else "")
    for line in cell.source.split("\n"):
        yield line if cell.is_code else f"# {line}".rstrip()
