"""A class in a terminal: who got what, and what the class's code does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.messages import clean, say
from autograder.model import Assignment, Finding, Message, Report
from autograder.present.words import Words

_MOST_LISTED = 12  # kinds of findings below the table
_LONGEST = 160  # characters of one finding: an exception's text can fill a page


def show_class(
    console: Console, reports: Sequence[Report], assignments: Mapping[str, Assignment], language: str
) -> None:
    """One table per assignment, a line per student; below it what was found, the most frequent first."""
    for name in sorted({report.assignment for report in reports}):
        words = Words(assignments[name], language)
        own = [report for report in reports if report.assignment == name]
        console.print(Text(class_title(own, language), "bold"))
        console.print(_table(own, words))
        _show_findings(console, own, words)


def class_title(reports: Sequence[Report], language: str) -> str:
    """How many handed one assignment in, and their mean."""
    mean = sum(report.score for report in reports) / len(reports)
    most = max(report.max_score for report in reports)
    name = reports[0].assignment
    return say("class-title", language, assignment=name, count=len(reports), mean=mean, max_score=most)


def summary_line(report: Report, words: Words) -> str:
    """What one submission does, in one line."""
    language = words.language
    if report.status != "graded":
        return words.problem(report)
    parts = [finding_line(finding, words) for finding in words.in_teaching_order(report)] or _unexplained(report, words)
    unwritten = [test.function for test in report.tests if test.status in ("skipped", "missing")]
    if report.problem is not None and any(test.status == "missing" for test in report.tests):
        parts.append(f"{say('while-loading', language)}: {words.message(report.problem)[0]}")
    if unwritten:
        parts.append(say("class-unfinished", language, names=list(dict.fromkeys(unwritten))))
    return "; ".join(clean(part, longest=_LONGEST) for part in parts) if parts else say("class-full", language)


def finding_line(finding: Finding, words: Words) -> str:
    """A finding in one line: mistakes at once, one of several, or what does not hold of a function."""
    language = words.language
    if finding.mistakes:
        return f" {say('and', language)} ".join(words.mistake(mistake) for mistake in finding.mistakes)
    if finding.one_of:
        return f" {say('or', language)} ".join(words.mistake(mistake) for mistake in finding.one_of)
    sentence = " ".join(words.finding(finding)) or ", ".join(words.test(name) for name in finding.explains[:1])
    return say("class-unnamed", language, functions=list(finding.functions), sentence=sentence)


def _unexplained(report: Report, words: Words) -> list[str]:
    """Tests that failed with no finding: what they say themselves, each sentence once."""
    lines: dict[str, None] = {}
    for test in report.tests:
        if test.status not in ("passed", "skipped", "missing", "unchecked"):
            message = test.message or Message("property", {"test": test.name})
            lines[words.message(message, test.function)[0]] = None
    return list(lines)


def _table(reports: Sequence[Report], words: Words) -> Table:
    language = words.language
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column(say("column-student", language), overflow="fold")
    table.add_column(say("column-score", language), justify="right", no_wrap=True)
    table.add_column(say("column-finding", language), overflow="fold")
    for report in sorted(reports, key=lambda report: report.student):
        score = f"{report.score:g} / {report.max_score:g}"
        table.add_row(Text(clean(report.student)), Text(score), Text(summary_line(report, words)))
    return table


def _show_findings(console: Console, reports: Sequence[Report], words: Words) -> None:
    counts = Counter(line for report in reports for line in _mistakes_of(report, words))
    if not counts:
        return
    console.print(Text(say("class-findings", words.language), "bold"))
    for line, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MOST_LISTED]:
        console.print(Text(f"{count:4d}  {line}"))
    console.print()


def _mistakes_of(report: Report, words: Words) -> set[str]:
    """The sentences of a report's mistakes; a student counts once for each."""
    named = (mistake for finding in report.findings for mistake in finding.mistakes)
    return {words.mistake(mistake) for mistake in named}
