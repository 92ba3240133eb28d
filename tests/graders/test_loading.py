"""What happens while a submission loads is told, unless it is the kit's own doing."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.graders import grade
from autograder.graders.kit import Kit
from autograder.model import Cell, Report, Submission
from autograder.sandbox.host import Host


@pytest.fixture(scope="module")
def host() -> Host:
    with Host() as host:
        host.start()
        yield host


def graded(kit: Kit, host: Host, *cells: Cell) -> Report:
    submission = Submission("ann", kit.assignment.name, Path("ann.ipynb"), "0" * 64, cells)
    return grade(kit, submission, host)


def test_an_error_in_the_learners_own_cell_is_told_and_the_rest_is_graded(kit: Kit, host: Host) -> None:
    report = graded(kit, host, Cell("cell 1", "print(nothing)"), Cell("cell 2", kit.assignment.solution))
    assert (report.status, report.score) == ("graded", 20)
    assert report.problem is not None
    assert (report.problem.id, report.problem.with_["file"]) == ("raised", "cell 1")


def test_a_demonstration_of_the_kits_that_fails_is_not_told(kit: Kit, host: Host) -> None:
    demonstration = Cell("cell 2", "print(nothing)", graded=False)
    report = graded(kit, host, Cell("cell 1", kit.assignment.solution), demonstration)
    assert (report.status, report.score, report.problem) == ("graded", 20, None)


def test_a_cell_that_ends_the_process_does_not_cost_the_others(kit: Kit, host: Host) -> None:
    report = graded(kit, host, Cell("cell 1", kit.assignment.solution), Cell("cell 2", "import os\nos._exit(0)"))
    assert (report.status, report.score) == ("graded", 20)
    assert report.problem is not None
    assert report.problem.id == "crashed"


def test_a_submission_that_never_loads_has_that_status(kit: Kit, host: Host) -> None:
    report = graded(kit, host, Cell("ann.py", "import os\nos._exit(0)"))
    assert (report.status, report.score, report.max_score, report.tests) == ("crashed", 0, 20, ())
