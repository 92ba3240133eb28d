"""The sentences of a report, whatever they are shown on: ids and parameters in, plain lines out.

Every piece that a submission can influence goes through `clean` here or in `say`; what shows the lines (a terminal, a
page) still has to escape its own markup.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograder.messages import clean, say
from autograder.model import Assignment, Finding, Message, NamedMistake, Note, Report, TestResult, Text

# How a call ends that returns nothing.
_UNSEEN = ("raised", "missing", "timeout", "crashed", "out-of-memory", "tampered", "unwritten")


@dataclass(frozen=True, slots=True)
class Words:
    """One assignment's and the engine's sentences in one language; those for students quote nothing of the solution."""

    assignment: Assignment
    language: str
    for_students: bool = False

    @property
    def text(self) -> Text:
        """The assignment's own sentences."""
        return self.assignment.texts[self.language]

    def title(self) -> str:
        """The number and the title: "04 Masked softmax"."""
        return f"{self.assignment.name.split('_')[0]} {self.text.title}"

    def test(self, name: str) -> str:
        """What a test says holds."""
        return self.text.tests.get(name, clean(name.replace("_", " ")))

    def message(self, message: Message | Note, function: str = "") -> list[str]:
        """A message's lines: what the code does, then numbers. An id that no file knows stands for itself."""
        with_ = {"name": function, **message.with_}
        if message.id in self.text.messages:
            lines = _filled(self.text.messages[message.id], with_).splitlines()
        else:
            if message.id == "property":
                with_["test"] = self.test(str(with_.get("test", "")))
            lines = _said(message.id, self.language, with_)
        call = message.with_.get("call")
        return [*lines, say("called", self.language, call=call)] if call else lines

    def mistake(self, mistake: NamedMistake) -> str:
        """What code with this mistake does, and in which part of its answers, if not in all."""
        says = self._mistake(mistake)
        region, _, value = str(mistake.with_.get("region", "")).partition(":")
        if not region:
            return says
        return say("in-region", self.language, says=says, region=say(f"region-{region}", self.language, value=value))

    def _mistake(self, mistake: NamedMistake) -> str:
        text = self.text.mistakes.get(mistake.id)
        if text is not None:
            return _filled(text.says, mistake.with_)
        if mistake.id == "edit" and mistake.with_:
            id_ = "edit" if mistake.with_.get("target") else "edit-result"
            return _said(f"{id_}-alone" if self.for_students else id_, self.language, dict(mistake.with_))[0]
        return say("unknown-mistake", self.language, id=mistake.id)

    def hints(self, finding: Finding) -> tuple[str, ...]:
        """The hints of a finding's first mistake, mildest first; none for a finding that names nothing."""
        for mistake in (*finding.mistakes, *finding.one_of):
            text = self.text.mistakes.get(mistake.id)
            if text is not None:
                return tuple(_filled(hint, mistake.with_) for hint in text.hints)
        return ()

    def finding(self, finding: Finding) -> list[str]:
        """What the code does: one line for each mistake at work, or the property that broke."""
        if finding.mistakes:
            return [self.mistake(mistake) for mistake in finding.mistakes]
        if finding.one_of:
            return [say("may-be", self.language), *(f"- {self.mistake(mistake)}" for mistake in finding.one_of)]
        function = finding.functions[0] if finding.functions else ""
        return self.message(finding.property, function)[:1] if finding.property else []

    def evidence(self, finding: Finding, report: Report) -> list[str]:
        """The numbers behind a finding: those of its own property, or of the test that shows it."""
        own = finding.property
        if own is not None and not finding.mistakes and not finding.one_of:
            function = finding.functions[0] if finding.functions else ""
            lines = self.message(_numbers_of(own), function)
            return lines[1:] if lines[:1] == self.finding(finding) else lines
        test = shown_by(finding, report)
        if test is None or test.message is None:
            return []
        shown = self.message(test.message, test.function)
        return shown if shown[:1] != self.finding(finding) else shown[1:]

    def problem(self, report: Report) -> str:
        """Why a submission could not be graded."""
        status = say(f"status-{report.status}", self.language)
        if report.problem is None:
            return status
        first, *further = self.message(report.problem)
        if report.problem.id == report.status:  # its first line would say the same again
            first = say("while-loading", self.language)
        return f"{status}: {'; '.join(' '.join(line.split()) for line in [first, *further])}"

    def in_teaching_order(self, report: Report) -> list[Finding]:
        """Findings by the first function that they concern; of one function, as the report has them."""
        place = {spec.name: index for index, spec in enumerate(self.assignment.functions)}
        return sorted(
            report.findings, key=lambda found: min((place.get(name, 0) for name in found.functions), default=0)
        )


def explained_alone(finding: Finding, report: Report) -> list[TestResult]:
    """The tests that a finding explains and no other does: what they show is its doing."""
    others = {name for other in report.findings if other != finding for name in other.explains}
    return [test for test in report.tests if test.name in finding.explains and test.name not in others]


def shown_by(finding: Finding, report: Report) -> TestResult | None:
    """The test whose numbers stand beside a finding's hint, if there is one that shows nothing else.

    Mistakes are named by what calls return, and so is shown what one returned, rather than an error that came of it.
    """
    own = [test for test in explained_alone(finding, report) if test.message is not None]
    return min(own, key=lambda test: test.message is not None and test.message.id in _UNSEEN, default=None)


def _numbers_of(broken: Message) -> Message:
    """A broken property carries how the smallest call differs: the id of that message is its `kind`."""
    kind = broken.with_.get("kind", broken.id)
    return Message(str(kind), broken.with_)


def _said(id_: str, language: str, with_: dict[str, Any]) -> list[str]:
    """A report may come from a newer kit, whose sentences are not here: it is shown all the same."""
    try:
        return say(id_, language, **with_).splitlines()
    except LookupError:
        return [clean(id_)]


def _filled(sentence: str, with_: Mapping[str, Any]) -> str:
    """An authored sentence with its parameters; one that lacks a parameter is shown as written."""
    try:
        return sentence.format_map({name: clean(str(value)) for name, value in with_.items()})
    except (LookupError, ValueError):
        return sentence
