"""The tables of an authored folder's TOML files, as they are written."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

Hints = Annotated[tuple[str, ...], Meta(min_length=1, max_length=3)]
Count = Annotated[int, Meta(ge=1)]
Points = Annotated[float, Meta(gt=0)]


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """A table in which every key is known."""


class AssignmentTable(Table, frozen=True):
    """assignment.toml as a whole; its functions and classes are read one by one."""

    version: Count
    minutes: Count
    functions: dict[str, Any] = {}
    classes: dict[str, Any] = {}


class PartTable(Table, frozen=True):
    """A function or class that the learner writes."""

    points: Points
    needs: tuple[str, ...] = ()
    off_limits: tuple[str, ...] = ()


class MistakeTextTable(Table, frozen=True):
    """The sentences of a mistake."""

    says: str
    why: str
    hints: Hints


class QuestionTextTable(Table, frozen=True):
    """The words of a question."""

    asks: str
    explains: dict[str, str]
    options: dict[str, str] = {}


class QuestionTable(Table, frozen=True):
    """A question of questions.toml: a prediction has `gives` and `function`, a choice has `answer`."""

    gives: str | None = None
    function: str | None = None
    answer: str | None = None


class TextTable(Table, frozen=True):
    """text.xx.toml."""

    title: str
    functions: dict[str, str] = {}
    tests: dict[str, str] = {}
    mistakes: dict[str, MistakeTextTable] = {}
    messages: dict[str, str] = {}
    questions: dict[str, QuestionTextTable] = {}


class EditTable(Table, frozen=True):
    """`find` becomes `replace`; or the whole of `function` becomes `source`."""

    find: str | None = None
    replace: str | None = None
    function: str | None = None
    source: str | None = None


class CaseTable(Table, frozen=True):
    """One edit written out, or several."""

    find: str | None = None
    replace: str | None = None
    function: str | None = None
    source: str | None = None
    edits: tuple[EditTable, ...] = ()
    with_: dict[str, str | int | float] = field(name="with", default_factory=dict)


class MistakeTable(Table, frozen=True):
    """A mistake. Its own edit, if it has one, is its first case; there `source` says where the mistake was seen.

    A whole function is therefore replaced by `function` and `replace` here.
    """

    id: str
    frequency: Literal["very common", "common", "rare"]
    source: str
    find: str | None = None
    replace: str | None = None
    function: str | None = None
    edits: tuple[EditTable, ...] = ()
    with_: dict[str, str | int | float] = field(name="with", default_factory=dict)
    case: tuple[CaseTable, ...] = ()
    looks_like: dict[str, str] = {}
    retired: bool = False
