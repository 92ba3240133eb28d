"""`attn check`: the visible tests on a learner's own file."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.cli.answers import OURS, answering, console
from autograder.cli.options import AssignmentOption, DeviceOption, LanguageOption, checked_device
from autograder.course.troubles import Refused
from autograder.model import UsageError

if TYPE_CHECKING:
    from autograder.cli.learners import AuthoredCatalogue, PackCatalogue
    from autograder.cli.places import Catalogue
    from autograder.model import Report

_NOT_PASSING = 1
_KITS_OWN = "helpers.py"  # lies beside a learner's file, and is not theirs


def check(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A notebook or script. [default: the one here]")
    ] = None,
    *,
    assignment: AssignmentOption = None,
    device: DeviceOption = "cpu",
    lang: LanguageOption = None,
) -> None:
    """Check your file: what passes, and one thing it does."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with answering(lang) as language:
        from autograder.cli.learners import catalogue_for_checks

        catalogue = catalogue_for_checks()
        path, name = _asked_for(file, assignment, catalogue)
        checked = catalogue.assignment(name)
        report = _checked(path, name, catalogue, checked_device(device))

        from autograder.learn.state import remember
        from autograder.present.terminal import all_pass, is_our_fault, show_check
        from autograder.present.words import Words

        remember(catalogue.root, report, next(iter(Words(checked, language).in_teaching_order(report)), None))
        show_check(console(), report, checked, language, _command(file, assignment, device))
        if is_our_fault(report):
            raise typer.Exit(OURS)
        if not all_pass(report):
            raise typer.Exit(_NOT_PASSING)


def _checked(path: Path, name: str, catalogue: AuthoredCatalogue | PackCatalogue, device: str) -> Report:
    from autograder.sandbox.host import Host

    with Host(device=device) as host:
        host.start()  # loads PyTorch on one core while we load it on another
        from autograder.graders import check as check_submission
        from autograder.notebooks import read

        submission = read(path, catalogue.assignment(name), student=path.stem)
        return check_submission(catalogue.prepared(name, device), submission, host)


def _asked_for(file: Path | None, assignment: str | None, catalogue: Catalogue) -> tuple[Path, str]:
    """The file to check and the assignment that it belongs to; `file` may also name an assignment."""
    name = catalogue.name_of(assignment) if assignment else None
    if file is None or not os.path.lexists(file):
        name = name or (_assignment_named(str(file), catalogue) if file else None)
        path = _only_file(name, catalogue) if file is None or name else file
    else:
        path = file
    if os.path.isdir(path):  # noqa: PTH112 - a name may be too long to be asked about
        raise Refused("usage-one-file", path=str(path))
    [hand_in] = catalogue.collected([path], name).hand_ins
    return path, hand_in.assignment


def _assignment_named(asked: str, catalogue: Catalogue) -> str | None:
    try:
        return catalogue.name_of(asked)
    except UsageError:
        return None


def _only_file(name: str | None, catalogue: Catalogue) -> Path:
    """The one file here that belongs to an assignment, or the one to take of several."""
    from autograder.course.collect import SUFFIXES

    there = Path("assignments") / (name or "")
    folder = there if name and there.is_dir() else Path()
    files = [path for path in sorted(folder.iterdir()) if path.suffix.lower() in SUFFIXES and path.is_file()]
    own = [
        path
        for path in files
        if not path.name.startswith("test_")
        and path.name != _KITS_OWN
        and catalogue.guess(path) in _wanted(name, catalogue)
    ]
    if not own:
        raise Refused("usage-no-file")
    return _worked_in(own, catalogue)


def _worked_in(own: Sequence[Path], catalogue: Catalogue) -> Path:
    """The file in which most is written; of one assignment's untouched files, the notebook with the shortest name."""
    from autograder.notebooks import written

    belongs = {path: catalogue.guess(path) or "" for path in own}
    attempted = {path: len(written(path).attempted & {*catalogue.asked(name)}) for path, name in belongs.items()}
    worked_in = [path for path in own if attempted[path] == max(attempted.values())]
    untouched = not any(attempted.values()) and len({*belongs.values()}) == 1
    if len(worked_in) > 1 and not untouched:
        raise Refused("usage-which-file", names=[path.name for path in own])
    return min(worked_in, key=lambda path: (path.suffix.lower() != ".ipynb", len(path.name)))


def _wanted(name: str | None, catalogue: Catalogue) -> Sequence[str]:
    return catalogue.names if name is None else (name,)


def _command(file: Path | None, assignment: str | None, device: str) -> str:
    """What to type to check again."""
    parts = ["attn", "check", *([str(file)] if file else [])]
    parts += ["--assignment", assignment] if assignment else []
    parts += ["--device", device] if device != "cpu" else []
    return shlex.join(parts)
