"""A report as nbgrader's pages show it: a card below each check cell, a comment below each answer.

Pages are shown unescaped by those who read them with rights: whatever stands in one goes through `as_html` or
`as_markdown`. A hidden test is its sentence and its verdict: neither its name nor its numbers are shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from msgspec.structs import replace

from autograder.messages import as_html, as_markdown, say
from autograder.model import Finding, Message, Report, TestResult
from autograder.present.classes import finding_line
from autograder.present.words import Words

_LABELS = {"passed": "passes", "skipped": "skips", "error": "errors", "unchecked": "unchecked-label"}
_COLOURS = {"passes": "#1a7f37", "fails": "#cf222e", "errors": "#8250df"}
_GREY = "#57606a"
# What says nothing of a call's arguments or results.
_WORDLESS = ("missing", "unwritten", "timeout", "crashed", "out-of-memory", "tampered", "off-limits", "internal")
_CELL = "padding:2px 12px 2px 0;text-align:left;vertical-align:top"


def card(report: Report, function: str, words: Words) -> str:
    """What a function's tests gave, as HTML that holds nothing but text, whatever the submission did."""
    tests = [test for test in report.tests if test.function == function]
    score, most = sum(test.points for test in tests), _points(function, words)
    points = say("points", words.language, score=score, max_score=most)
    parts = [f"<p><strong>{escape(function)}</strong> {escape(points)}</p>"]
    if report.status != "graded":
        parts.append(f"<p>{as_html(words.problem(report))}</p>")
    if tests:
        parts.append(f"<table>{''.join(_row(test, words) for test in tests)}</table>")
    parts += [f"<p>{as_html(line)}</p>" for line in _explained(report, function, words)]
    return f'<div lang="{escape(words.language)}">{"".join(parts)}</div>'


def comments(report: Report, words: Words) -> dict[str, str]:
    """For each function about which there is something to say, that, as Markdown.

    Notes stand at their own answer, those about the whole file at the first.
    """
    names = [spec.name for spec in words.assignment.functions]
    lines: dict[str, list[str]] = {name: [*_explained(report, name, words)] for name in names}
    if report.status != "graded":
        lines[names[0]].append(words.problem(report))
    for note in report.notes:
        cell = str(note.with_.get("cell"))
        lines[cell if cell in lines else names[0]] += words.message(note)
    return {name: "\n\n".join(as_markdown(line) for line in own) for name, own in lines.items() if own}


def _points(function: str, words: Words) -> float:
    return next(spec.points for spec in words.assignment.functions if spec.name == function)


def _row(test: TestResult, words: Words) -> str:
    label = _LABELS.get(test.status, "fails")
    colour = _COLOURS.get(label, _GREY)
    sentence = words.test(test.name)
    if test.follow_through:
        sentence += f" ({say('follow-through', words.language)})"
    numbers = "".join(f"<br><code>{escape(line)}</code>" for line in _numbers(test, words))
    verdict = f'<td style="{_CELL};color:{colour}">{escape(say(label, words.language))}</td>'
    return f'<tr>{verdict}<td style="{_CELL}">{as_html(sentence)}{numbers}</td></tr>'


def _numbers(test: TestResult, words: Words) -> list[str]:
    """What a visible test saw. A hidden one keeps its calls to itself."""
    if not test.visible or test.message is None or test.status in ("passed", "skipped", "unchecked"):
        return []
    lines = words.message(test.message, test.function)
    return lines[test.message.id == "property" :]


def _explained(report: Report, function: str, words: Words) -> Iterator[str]:
    """What the function does and the first hint; else which it is of: not written, or failing for no known reason."""
    found = [finding for finding in words.in_teaching_order(report) if function in finding.functions]
    for finding in found:
        yield finding_line(_discreet(finding, report), words)
        yield from (f"{say('hint', words.language)}: {hint}" for hint in words.hints(finding)[:1])
    explained = {name for finding in found for name in finding.explains}
    own = [test for test in report.tests if test.function == function and test.name not in explained]
    yield from dict.fromkeys(line for test in own for line in _first_words(test, words))


def _discreet(finding: Finding, report: Report) -> Finding:
    """Without the words of a property that a hidden test saw: a submission can put that test's input into them."""
    visible = {test.name for test in report.tests if test.visible}
    if finding.property is None or {*finding.explains} <= visible:
        return finding
    return replace(finding, property=None)


def _first_words(test: TestResult, words: Words) -> list[str]:
    """The first line of what a test says that no finding explains."""
    if test.status in ("passed", "unchecked") or test.message is None:
        return []
    said = test.message if test.visible or test.message.id in _WORDLESS else Message("property", {"test": test.name})
    return words.message(said, test.function)[:1]
