"""Frozen types that cross module borders. Standard library and msgspec only: loading this costs nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

LANGUAGES = ("en", "ja")

Language = Literal["en", "ja"]
TestStatus = Literal[
    "passed", "failed", "skipped", "error", "timeout", "crashed", "out-of-memory", "missing", "tampered", "unchecked"
]
ReportStatus = Literal["graded", "unreadable", "timeout", "crashed", "out-of-memory", "error"]


class ContentError(Exception):
    """Faults in an authored folder or a course file: each one line that names file and key."""

    def __init__(self, *faults: str) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class UsageError(Exception):
    """Something asked of us cannot be done as asked: one line for the person who asked. Exit code 2."""


# ---------------------------------------------------------------------------------------------- what authors write


class Edit(msgspec.Struct, frozen=True):
    """One edit of the reference: `start:end` of its text (in characters) becomes `text`."""

    start: int
    end: int
    text: str


class Case(msgspec.Struct, frozen=True):
    """One way a mistake shows: edits that apply together, and the parameters that its sentence carries."""

    edits: tuple[Edit, ...]
    function: str  # the function or class of the reference in which the first edit lies
    parameters: dict[str, str | int | float] = {}


class Mistake(msgspec.Struct, frozen=True):
    """A known mistake, declared as edits of the reference."""

    id: str
    cases: tuple[Case, ...]
    frequency: Literal["very common", "common", "rare"]
    source: str
    looks_like: dict[str, str] = {}  # id -> why no call can tell the two apart
    retired: bool = False
    generated: bool = False  # made from the reference's syntax tree: no author stands behind it


class FunctionSpec(msgspec.Struct, frozen=True):
    """A function or class that the learner writes."""

    name: str
    kind: Literal["function", "class"]
    points: float
    needs: tuple[str, ...] = ()
    off_limits: tuple[str, ...] = ()  # qualified names of library functions that do the task themselves


class MistakeText(msgspec.Struct, frozen=True):
    """The sentences of a mistake in one language. `says` may carry {parameters}."""

    says: str
    why: str
    hints: tuple[str, ...]


class Question(msgspec.Struct, frozen=True):
    """Something the learner is asked in a lesson; it carries no points.

    A prediction is compared with what `gives`, an expression, gives in the learner's own notebook, where `function` is
    the one it needs; of a choice, `answer` is the right option.
    """

    name: str
    kind: Literal["prediction", "choice"]
    function: str = ""
    gives: str = ""
    answer: str = ""


class QuestionText(msgspec.Struct, frozen=True):
    """A question in one language. `explains` has a sentence for each option, or for `right` and `wrong` predictions."""

    asks: str
    options: dict[str, str]
    explains: dict[str, str]


class Text(msgspec.Struct, frozen=True):
    """Every sentence of an assignment in one language."""

    title: str
    functions: dict[str, str]  # stub documentation
    tests: dict[str, str]  # test name without "test_" -> sentence that says what holds
    mistakes: dict[str, MistakeText]
    messages: dict[str, str] = {}  # whatever else tests say, by id
    questions: dict[str, QuestionText] = {}


class Assignment(msgspec.Struct, frozen=True):
    """An authored folder, read and checked; nothing in it has been run."""

    name: str  # "04_masked_softmax"
    folder: Path
    version: int
    minutes: int
    functions: tuple[FunctionSpec, ...]
    mistakes: tuple[Mistake, ...]
    texts: dict[str, Text]
    solution: str  # source of the reference
    calls: dict[str, tuple[str, ...]]  # function or class of the reference -> those that it uses, itself first
    helpers: str = ""  # source of helpers.py, or ""
    questions: tuple[Question, ...] = ()


# ------------------------------------------------------------------------------------------------ what is handed in


class Cell(msgspec.Struct, frozen=True):
    """A piece of a submission's code, run as a unit: an error in one does not stop the next."""

    label: str  # how messages name it: "cell 3" or the file's name
    source: str
    first_line: int = 1  # line of the file at which it starts
    graded: bool = True  # False: the kit's own cell


class Note(msgspec.Struct, frozen=True):
    """Something odd that was seen or done; rendered per language by id."""

    id: str
    with_: dict[str, Any] = msgspec.field(name="with", default_factory=dict)


class Submission(msgspec.Struct, frozen=True):
    """What a student handed in for one assignment, as code; `problem` is set where none could be had."""

    student: str
    assignment: str
    path: Path
    sha256: str
    cells: tuple[Cell, ...] = ()
    notes: tuple[Note, ...] = ()
    problem: Note | None = None


# ---------------------------------------------------------------------------------------------------------- the report


class Message(msgspec.Struct, frozen=True):
    """A sentence by id and parameters; rendered in the reader's language."""

    id: str
    with_: dict[str, Any] = msgspec.field(name="with", default_factory=dict)


class ShownCall(msgspec.Struct, frozen=True):
    """A call in which a mistake shows: how its outcome differs, and both results whole where they are small."""

    call: str
    message: Message
    expected: str = ""
    gives: str = ""


class TestResult(msgspec.Struct, frozen=True):
    """One test function's verdict (all of its parametrised runs together)."""

    __test__ = False

    name: str
    function: str
    status: TestStatus
    points: float
    max_points: float
    visible: bool
    follow_through: bool = False
    message: Message | None = None


class NamedMistake(msgspec.Struct, frozen=True):
    """A known mistake that explains what was seen."""

    id: str
    with_: dict[str, Any] = msgspec.field(name="with", default_factory=dict)


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """What explains a group of failures: mistakes at once, one of several, or a broken property."""

    functions: tuple[str, ...]
    explains: tuple[str, ...]  # names of the failing tests
    mistakes: tuple[NamedMistake, ...] = ()
    one_of: tuple[NamedMistake, ...] = ()
    property: Message | None = None
    follows: tuple[str, ...] = ()  # of the tests, those of functions that are right but for mistakes in what they use


class Report(msgspec.Struct, frozen=True):
    """All that is known of one submission to one assignment. Its JSON is the public interface."""

    schema: int
    student: str
    assignment: str
    version: int
    status: ReportStatus
    score: float
    max_score: float
    tests: tuple[TestResult, ...]
    findings: tuple[Finding, ...]
    notes: tuple[Note, ...]
    sandbox: dict[str, Any]
    provenance: dict[str, Any]
    problem: Message | None = None
