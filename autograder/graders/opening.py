"""`pytest solutions/NN_name --submission FILE`: the same session, opened by pytest, with its verdicts in words."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from autograder.content import load
from autograder.graders.grading import open_target
from autograder.graders.kit import Kit
from autograder.graders.report import findings
from autograder.graders.run import Failure
from autograder.graders.session import Session
from autograder.messages import say
from autograder.model import Finding, Message, UsageError
from autograder.notebooks import read
from autograder.sandbox.host import FULL, SECRETS, Host, secrets_beside
from autograder.targets.sandboxed import Sandboxed


def open_session(folder: Path, path: Path, device: str, *, needs_walls: bool = False) -> SpokenSession:
    """A session on a file in the sandbox.

    Raises UsageError where there is no such file, where nothing in it can be run, and where the file could read the
    hidden tests although `needs_walls`.
    """
    if not path.is_file():
        raise UsageError(f"no such file: {path}")
    assignment = load(folder)
    submission = read(path, assignment)
    if submission.problem is not None:
        raise UsageError(f"{path}: {say(submission.problem.id, 'en', **submission.problem.with_)}")
    kit = Kit(assignment, device)
    host = Host(device=kit.device, hidden=(*SECRETS, *secrets_beside(folder.resolve().parent)))
    if needs_walls and host.level != FULL:
        host.close()
        raise UsageError(say(f"usage-sandbox-{host.level}", "en"))
    return SpokenSession(kit, open_target(kit, submission, host), host)


class SpokenSession(Session):
    """A session whose failures and findings are said in pytest's own output."""

    def __init__(self, kit: Kit, target: Sandboxed, host: Host) -> None:
        super().__init__(kit, target)
        self._child, self._host = target, host

    def close(self) -> None:
        """Leaves no process behind."""
        self._child.close()
        self._host.close()

    def settle(self, failure: Failure | None) -> None:
        """Tells pytest, and so the person at the terminal."""
        if failure is not None:
            raise failure

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """A failure is the sentence for it, not a traceback of ours."""
        report = yield
        if call.excinfo is not None and isinstance(call.excinfo.value, Failure):
            report.longrepr = self._sentence(call.excinfo.value.message)
        return report

    @pytest.hookimpl
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """What explains the failures."""
        found = findings(self.kit, self.ran)
        if found:
            terminalreporter.section("findings")
        for finding in found:
            terminalreporter.write_line(self._finding(finding))

    def _sentence(self, message: Message) -> str:
        tests = self.kit.assignment.texts["en"].tests
        with_ = {**message.with_, "test": tests.get(str(message.with_.get("test")), "")}
        return say(message.id, "en", **with_)

    def _finding(self, finding: Finding) -> str:
        texts = self.kit.assignment.texts["en"].mistakes
        named = finding.mistakes or finding.one_of
        said = "; ".join(f"{mistake.id}: {texts[mistake.id].says.format(**mistake.with_)}" for mistake in named)
        if finding.property is not None:
            said = self._sentence(finding.property)
        return f"{', '.join(finding.functions)}: {'one of: ' if finding.one_of else ''}{said}"
