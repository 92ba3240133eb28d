"""`check` and `ask` of one lesson, in a notebook or a script.

A check runs the visible tests of one function on the very object that it is given, in this process: it is the
learner's own machine. It shows what it found and raises one short line where a test fails, so that *Run all* stops and
*Validate* says so.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.graders.report import findings, report
from autograder.graders.session import Ran, run_graders
from autograder.learn.answers import judge
from autograder.learn.grids import grid_of
from autograder.learn.kernel import KernelTarget
from autograder.learn.kit import PackKit
from autograder.learn.pack import FILE, TESTS, read_pack
from autograder.learn.places import Kit, find_kit
from autograder.learn.state import remember
from autograder.messages import say
from autograder.model import LANGUAGES, Finding, Report, Submission, UsageError
from autograder.present.notebook import Card, check_card, first_finding, question_card
from autograder.present.words import Words, explained_alone


class CheckFailed(Exception):
    """A check that did not pass. Notebooks show its one line and no traceback."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def lesson(name: str, language: str = "en") -> tuple[Check, Ask]:
    """What a lesson's cells call: `check(function)` and `ask("question", answer)`.

    Raises UsageError where the kit has no such assignment or language, ContentError where its pack cannot be read.
    """
    if language not in LANGUAGES:
        raise UsageError(f"no language {language!r}; there is: {', '.join(LANGUAGES)}")
    kit = find_kit()
    opened = _Opened(kit, kit.name_of(name), language)
    opened.kit  # noqa: B018 - what cannot be read is told now, not at the first check
    return Check(opened), Ask(opened)


@dataclass
class _Opened:
    """A lesson under way; its pack is read again when its file changes."""

    place: Kit
    name: str
    language: str
    _kit: PackKit | None = None
    _seen: tuple[int, ...] = ()

    @property
    def kit(self) -> PackKit:
        """The assignment, ready for checks."""
        folder = self.place.folder / self.name
        seen = tuple(_time_of(folder / file) for file in (FILE, TESTS))
        if self._kit is None or seen != self._seen:
            _forget(folder / TESTS)
            self._kit, self._seen = PackKit(read_pack(folder / FILE)), seen
        return self._kit

    @property
    def words(self) -> Words:
        """Its sentences."""
        return Words(self.kit.assignment, self.language)


def _time_of(file: Path) -> int:
    """When it was last written; 0 where it is missing, which whoever reads it will say."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def _forget(tests: Path) -> None:
    """Lets a test file be read afresh: sessions of one process share its module."""
    for name, module in list(sys.modules.items()):
        if getattr(module, "__file__", None) == str(tests):
            del sys.modules[name]


@dataclass(frozen=True, repr=False)
class Check:
    """`check(function)`."""

    _lesson: _Opened

    def __call__(self, written: Any) -> None:
        """Checks a function or class of the notebook as it is now. Raises CheckFailed where a test fails."""
        kit, language = self._lesson.kit, self._lesson.language
        namespace = sys._getframe(1).f_globals  # noqa: SLF001 - the notebook itself
        name = self._name_of(written, namespace)
        if namespace.get(name) is not written:
            raise CheckFailed(say("check-stale", language, name=name))
        runs = _run(kit, name, namespace)
        found = _report(kit, runs)
        words = self._lesson.words
        shown = first_finding(found, words)
        remember(self._lesson.place.root, found, shown)
        show(check_card(found, name, words, grid_of(kit, _of(shown, found, runs))))
        if _passed(found) < len(found.tests):
            raise CheckFailed(_title(name, found, language))

    def __repr__(self) -> str:
        """Says how it is used, where somebody only names it."""
        return say("check-how", self._lesson.language, names=self._names)

    @property
    def _names(self) -> list[str]:
        return [spec.name for spec in self._lesson.kit.assignment.functions]

    def _name_of(self, written: Any, namespace: Mapping[str, Any]) -> str:
        """The name that it was defined with, else the one that it stands under: of a lambda, say."""
        own = getattr(written, "__name__", "")
        standing = [name for name in self._names if callable(written) and namespace.get(name) is written]
        name = own if isinstance(own, str) and own in self._names else next(iter(standing), None)
        if name is None:
            raise CheckFailed(say("check-how", self._lesson.language, names=self._names))
        return name


@dataclass(frozen=True, repr=False)
class Ask:
    """`ask("question", answer)`."""

    _lesson: _Opened

    def __call__(self, name: str, answer: Any = ...) -> None:
        """Shows a question, or what becomes of an answer to it. Nothing depends on it, so nothing is raised for one."""
        words = self._lesson.words
        question = next((one for one in self._lesson.kit.assignment.questions if one.name == name), None)
        if question is None:
            raise CheckFailed(say("ask-unknown", self._lesson.language, name=str(name)))
        text = words.text.questions[question.name]
        namespace = sys._getframe(1).f_globals  # noqa: SLF001 - the notebook itself

        def fails(function: str) -> str:
            found = _report(self._lesson.kit, _run(self._lesson.kit, function, namespace))
            return "" if _passed(found) == len(found.tests) else _title(function, found, words.language)

        show(question_card(text, words) if answer is ... else judge(question, answer, namespace, words, fails))


def _run(kit: PackKit, name: str, namespace: Mapping[str, Any]) -> Sequence[Ran]:
    target = KernelTarget(namespace, kit.assignment.helpers, kit.watch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on stderr, a warning would cost a cell its points where nbgrader grades it
        return run_graders(kit, target, visible_only=True, function=name)


def _report(kit: PackKit, runs: Sequence[Ran]) -> Report:
    nobody = Submission("", kit.assignment.name, Path(), "")
    return report(kit, nobody, runs, diagnosed=findings(kit, runs))


def _passed(found: Report) -> int:
    return sum(test.status in ("passed", "unchecked") for test in found.tests)


def _of(finding: Finding | None, found: Report, runs: Sequence[Ran]) -> Sequence[Ran]:
    """The runs that show a finding: results of others would stand beside its hint."""
    if finding is None:
        return runs
    tests = {test.name for test in explained_alone(finding, found)}
    return [ran for ran in runs if ran.test in tests]


def _title(name: str, found: Report, language: str) -> str:
    return say("card-title", language, name=name, passed=_passed(found), total=len(found.tests))


def show(card: Card) -> None:
    """As HTML where a notebook is, as text elsewhere."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None and shell.has_trait("kernel"):
        from IPython.display import display

        display(card)  # type: ignore[no-untyped-call]
    else:
        print(card)  # noqa: T201 - a script's own output
