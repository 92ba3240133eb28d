"""One report in a terminal: per function what passes, one finding with numbers, a hint, what to type next.

Lines are rich `Text`s throughout, never markup, so that a name like "[red]" is only a name; rich counts cells, so that
Japanese aligns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from autograder.messages import clean, say
from autograder.model import Assignment, Finding, FunctionSpec, Message, Report, TestResult
from autograder.present.words import Words, shown_by
from autograder.present.wrapping import wrapped

_LABELS = {"passed": ("passes", "green"), "skipped": ("skips", "dim"), "error": ("errors", "bold magenta")}
_UNCHECKED = ("unchecked-label", "dim")
_FAILED = ("fails", "bold red")
_NOT_THERE = ("skipped", "missing")  # said once for a function, below its tests
_INDENT = 10  # cells: two, the widest label (未確認, six), two
_WEAK = ("contained", "limits-only")  # sandbox levels
_NARROWEST = 20  # cells of text, however narrow the terminal


@dataclass(frozen=True, slots=True)
class _View:
    """What one rendering needs at hand."""

    console: Console
    words: Words
    report: Report
    shown: Sequence[Finding]
    waiting: dict[str, tuple[str, ...]]  # function -> failing functions that it needs


def show_check(console: Console, report: Report, assignment: Assignment, language: str, command: str) -> None:
    """What a learner sees: one finding, in teaching order, with its first hint and the next `command` to type."""
    words = Words(assignment, language)
    if report.status != "graded":
        _show_problem(console, words, report)
        _typed(console, say("next-check", language, command=command))
        return
    waiting = _waiting(report, assignment.functions)
    ordered = words.in_teaching_order(report)
    view = _View(console, words, report, ordered[:1], waiting)
    _show_tests(view)
    _show_hint(view)
    if len(ordered) > 1:
        _line(console, say("more-findings", language, count=len(ordered) - 1), "dim")
    _typed(console, _next(report, language, command))


def show_report(console: Console, report: Report, assignment: Assignment, language: str) -> None:
    """What staff see of one submission: every test and every finding, the notes, the sandbox."""
    words = Words(assignment, language)
    _line(console, clean(report.student), "bold")
    if report.status != "graded":
        _show_problem(console, words, report)
    else:
        _show_tests(_View(console, words, report, report.findings, {}))
    show_sandbox(console, report, language)


def show_sandbox(console: Console, report: Report, language: str) -> None:
    """Which sandbox level ran the submission, where one did, and what a weak one does not stop."""
    level = str(report.sandbox.get("level", "")) if report.sandbox.get("ran", True) else ""
    if level:
        _line(console, say("sandbox", language, level=level), "dim")
    if level in _WEAK:
        _line(console, say(f"sandbox-{level}", language), "yellow")


def is_our_fault(report: Report) -> bool:
    """Whether something of ours failed, in the whole or in one test."""
    return report.status == "error" or any(test.status == "error" for test in report.tests)


def all_pass(report: Report) -> bool:
    """Whether nothing is left to do: an unchecked test costs nothing."""
    return report.status == "graded" and all(test.status in ("passed", "unchecked") for test in report.tests)


# ---------------------------------------------------------------------------------------------- parts of a report


def _show_problem(console: Console, words: Words, report: Report) -> None:
    _line(console, words.title(), "bold")
    _line(console, words.problem(report), "bold red")
    _show_notes(console, words, report)


def _show_notes(console: Console, words: Words, report: Report) -> None:
    for note in report.notes:
        _indented(console, "; ".join(words.message(note)), "yellow", 2)


def _show_tests(view: _View) -> None:
    report, language = view.report, view.words.language
    passed = sum(test.status == "passed" for test in report.tests)
    checks = say("checks", language, passed=passed, total=len(report.tests))
    points = _points(report.tests, language)
    _line(view.console, f"{view.words.title()}    {checks}    {points}", "bold")
    for line in view.words.message(report.problem) if report.problem else ():
        _indented(view.console, line, "yellow", 2)
    _show_notes(view.console, view.words, report)
    width = max((cell_len(spec.name) for spec in view.words.assignment.functions), default=0)
    for spec in view.words.assignment.functions:
        tests = [test for test in report.tests if test.function == spec.name]
        if tests:
            _show_function(view, spec.name, width, tests)


def _show_function(view: _View, name: str, width: int, tests: Sequence[TestResult]) -> None:
    points = _points(tests, view.words.language)
    _line(view.console, f"{name}{' ' * (width - cell_len(name))}  {points}")
    unwritten = {line for test in tests if test.status in _NOT_THERE for line in _own_lines(view, test)[:1]}
    for test in tests:
        _show_test(view, test)
    for line in sorted(unwritten):
        _indented(view.console, line, "dim")


def _points(tests: Sequence[TestResult], language: str) -> str:
    score, most = sum(test.points for test in tests), sum(test.max_points for test in tests)
    return say("points", language, score=f"{score:g}", max_score=f"{most:g}")  # 14.25 is not 14.2


def _show_test(view: _View, test: TestResult) -> None:
    waits = view.waiting.get(test.function, ()) if _failing(test) else ()
    label, style = ("skips", "dim") if waits else _LABELS.get(test.status, _FAILED)
    if test.status == "unchecked":
        label, style = _UNCHECKED
    word = say(label, view.words.language)
    head = Text("  ").append(word, style).append(" " * (_INDENT - 2 - cell_len(word)))
    line = Text(view.words.test(test.name))
    remark = _remark(view, test, waits)
    if remark:
        line.append(f"  ({remark})", "dim")
    _hanging(view.console, head, line)
    if not waits:
        _show_reason(view, test)


def _remark(view: _View, test: TestResult, waits: Sequence[str]) -> str:
    if waits:
        return say("needs", view.words.language, names=list(waits))
    return say("follow-through", view.words.language) if test.follow_through else ""


def _show_reason(view: _View, test: TestResult) -> None:
    """The finding stands below the test that shows it; a test that none explains speaks for itself."""
    for finding in view.shown:
        if test.name == _place_of(finding, view.report):
            if not _says_only(finding.property, test):
                for line in view.words.finding(finding):
                    _indented(view.console, line, "bold")
            for line in view.words.evidence(finding, view.report):
                _indented(view.console, line)
            return
    explained = test.status in _NOT_THERE or any(test.name in finding.explains for finding in view.report.findings)
    if test.status == "error" or (_failing(test) and not explained):
        for line in _own_lines(view, test)[_says_only(test.message, test) :]:
            _indented(view.console, line)


def _says_only(message: Message | None, test: TestResult) -> bool:
    """Whether a message's first line would repeat the sentence of the test above it."""
    return message is not None and message.id == "property" and message.with_.get("test") == test.name


def _own_lines(view: _View, test: TestResult) -> list[str]:
    return view.words.message(test.message, test.function) if test.message else []


def _show_hint(view: _View) -> None:
    for finding in view.shown:
        for hint in view.words.hints(finding)[:1]:
            _line(view.console, f"{say('hint', view.words.language)}: {hint}", "yellow")


def _next(report: Report, language: str, command: str) -> str:
    if all_pass(report):
        return say("all-pass", language)
    unwritten = _first_unwritten(report)
    if unwritten and not report.findings and not any(map(_failing, report.tests)):
        return say("next-write", language, name=unwritten, command=command)
    return say("next-check", language, command=command)


# ------------------------------------------------------------------------------------------ what to show of it


def _failing(test: TestResult) -> bool:
    return test.status not in ("passed", "skipped", "unchecked", "error")


def _first_unwritten(report: Report) -> str:
    return next((test.function for test in report.tests if test.status in _NOT_THERE), "")


def _place_of(finding: Finding, report: Report) -> str:
    names = [test.name for test in report.tests if test.name in finding.explains]
    shown = shown_by(finding, report) if finding.mistakes or finding.one_of else None
    return shown.name if shown else names[0] if names else ""


def _waiting(report: Report, specs: Sequence[FunctionSpec]) -> dict[str, tuple[str, ...]]:
    """Functions that build on one that fails or is not written: a learner looks at that one first."""
    troubled = {test.function for test in report.tests if test.status not in ("passed", "unchecked")}
    waiting: dict[str, tuple[str, ...]] = {}
    for spec in specs:
        names = tuple(name for name in spec.needs if name in troubled or name in waiting)
        if names:
            waiting[spec.name] = names
    return waiting


# -------------------------------------------------------------------------------------------------------- lines


def _line(console: Console, line: str, style: str = "") -> None:
    _hanging(console, Text(), Text(line, style))


def _typed(console: Console, line: str) -> None:
    """A line with a command in it, which must not be broken: it is copied."""
    console.print(Text(line, "cyan"), soft_wrap=True)


def _indented(console: Console, line: str, style: str = "", indent: int = _INDENT) -> None:
    _hanging(console, Text(" " * indent), Text(line, style))


def _hanging(console: Console, head: Text, line: Text) -> None:
    """A line after its head; what does not fit goes on below the line's beginning."""
    indent = cell_len(head.plain)
    for piece in wrapped(line, max(_NARROWEST, console.width - indent)):
        console.print(head.copy().append_text(piece), soft_wrap=True)
        head = Text(" " * indent)
