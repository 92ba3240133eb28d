"""`attn demo`: the sample class that ships with the repository, graded, and put into a gradebook."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.answers import answering
from autograder.cli.options import DeviceOption, LanguageOption, checked_device
from autograder.course.reports import prepare_folder
from autograder.course.troubles import Refused

_MOST_JOBS = 4


def demo(
    *,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where results go.")] = Path("attn-demo"),
    device: DeviceOption = "cpu",
    lang: LanguageOption = None,
) -> None:
    """Grade the sample class, into a gradebook too where nbgrader is installed, and say where the results are."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with answering(lang) as language:
        from autograder.cli.class_run import ClassRun

        run = ClassRun(
            paths=[sample_class()],
            assignment=None,
            out=out,
            jobs=min(_MOST_JOBS, os.cpu_count() or 1),
            device=checked_device(device),
            secret=None,
            language=language,
            course=_course(out),
        )
        run.do()
        run.show()
        run.end()


def _course(out: Path) -> Path | None:
    """A new nbgrader course beside the reports, where nbgrader is installed."""
    if importlib.util.find_spec("nbgrader") is None:
        return None
    prepare_folder(out)
    (out / "course").mkdir(exist_ok=True)
    return out / "course"


def sample_class() -> Path:
    """The sample submissions, beside the authored assignments; raises Refused where they are not."""
    from autograder.content import find_solutions

    folder = find_solutions().parent / "tests" / "submissions"
    if not folder.is_dir():
        raise Refused("usage-no-demo", path=str(folder))
    return folder
