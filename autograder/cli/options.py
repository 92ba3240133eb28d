"""Options that several commands share, and what they mean."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from autograder.course.troubles import Refused
from autograder.model import LANGUAGES

AssignmentOption = Annotated[
    str | None,
    typer.Option("--assignment", "-a", metavar="NAME", help="The assignment, by name, number or a part of its name."),
]
DeviceOption = Annotated[str, typer.Option("--device", metavar="cpu|cuda|mps|auto", help="Where the code runs.")]
LanguageOption = Annotated[
    str | None,
    typer.Option("--lang", metavar="en|ja", help="The language of sentences. [default: ATTN_LANG, LANG, en]"),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
JobsOption = Annotated[int, typer.Option("--jobs", "-j", metavar="N", help="How many submissions to grade at a time.")]
OutOption = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Write reports and a summary here.")]
CourseOption = Annotated[
    Path | None,
    typer.Option("--course", metavar="DIR", help="An nbgrader course: its gradebook and autograded/ are written."),
]
SecretOption = Annotated[
    Path | None,
    typer.Option("--secret-file", metavar="FILE", help="The course secret, from which hidden inputs are drawn."),
]
WeakSandboxOption = Annotated[
    bool,
    typer.Option(
        "--allow-weak-sandbox",
        envvar="ATTN_ALLOW_WEAK_SANDBOX",
        help="Run hidden tests where a submission could read them: see doctor.",
    ),
]


_LONGEST_SECRET = 1 << 16  # bytes; the rest of a longer file (/dev/zero, say) is not read


def language_of(option: str | None) -> str:
    """The language to speak: the option, else ATTN_LANG, else Japanese where LANG says so, else English."""
    if option is not None:
        if option not in LANGUAGES:
            raise Refused("usage-language", names=list(LANGUAGES), language=option)
        return option
    asked = os.environ.get("ATTN_LANG", "")
    if asked in LANGUAGES:
        return asked
    return "ja" if os.environ.get("LANG", "").startswith("ja") else "en"


def checked_device(device: str) -> str:
    """A device by name; "auto" is resolved. Only the CPU needs no question to PyTorch. Raises UsageError."""
    if device not in ("cpu", "cuda", "mps", "auto"):
        raise Refused("usage-device-unknown", device=device)
    if device == "cpu":
        return device
    from autograder.graders.kit import usable_device

    return usable_device(device)


def checked_jobs(jobs: int) -> int:
    """At least one."""
    if jobs < 1:
        raise Refused("usage-jobs", jobs=jobs)
    return jobs


def secret_in(file: Path | None) -> str | None:
    """The course secret: the file's text without the blanks around it."""
    if file is None:
        return None
    try:
        with file.open("rb") as stream:
            secret = stream.read(_LONGEST_SECRET).decode("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Refused("usage-secret", path=str(file), text=getattr(error, "strerror", None) or str(error)) from error
    if not secret:
        raise Refused("usage-secret-empty", path=str(file))
    return secret
