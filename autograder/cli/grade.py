"""`attn grade`: visible and hidden graders on what was handed in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.answers import answering
from autograder.cli.options import (
    AssignmentOption,
    CourseOption,
    DeviceOption,
    JobsOption,
    JsonOption,
    LanguageOption,
    OutOption,
    SecretOption,
    WeakSandboxOption,
    checked_device,
    checked_jobs,
    secret_in,
)


def grade(  # noqa: PLR0913 - each option is a parameter
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Notebooks, scripts, or folders of them.")],
    *,
    assignment: AssignmentOption = None,
    out: OutOption = None,
    jobs: JobsOption = 1,
    device: DeviceOption = "cpu",
    lang: LanguageOption = None,
    json: JsonOption = False,
    course: CourseOption = None,
    secret_file: SecretOption = None,
    weak: WeakSandboxOption = False,
) -> None:
    """Grade submissions with visible and hidden tests, each in a sandbox."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with answering(lang) as language:
        jobs, device, secret = checked_jobs(jobs), checked_device(device), secret_in(secret_file)
        from autograder.cli.class_run import ClassRun

        run = ClassRun(
            paths=paths,
            assignment=assignment,
            out=out,
            jobs=jobs,
            device=device,
            secret=secret,
            language=language,
            course=course,
            weak_sandbox=weak,
        )
        run.do()
        if json:
            run.print_json()
        else:
            run.show()
        run.end()
