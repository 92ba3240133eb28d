"""The commands of `attn`. Whatever is heavy a command imports itself: `attn --help` answers at once."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

import autograder
from autograder.cli import build, check, demo, doctor, grade, hint, prove
from autograder.cli.answers import failed

app = typer.Typer(
    name="attn",
    help="Learn self-attention by writing it; find out what your code does.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("build")(build.build)
app.command("check")(check.check)
app.command("demo")(demo.demo)
app.command("doctor")(doctor.doctor)
app.command("grade")(grade.grade)
app.command("hint")(hint.hint)
app.command("explain")(hint.explain)
app.command("status")(hint.status)
app.command("prove")(prove.prove)


def run() -> None:
    """Does what the command line says. Raises SystemExit with the exit code, always."""
    _have_streams()
    _speak_utf8()
    try:
        app(prog_name="attn")
    except OSError as error:  # in --help and --version; the commands answer for themselves
        raise SystemExit(failed(error, "en").exit_code) from None


def _have_streams() -> None:
    """Where someone has closed a stream (`>&-`), what is said goes nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - as long as Python lives


def _show_version(asked: bool) -> None:  # noqa: FBT001 - what an option's callback gets
    if asked:
        typer.echo(f"attn {autograder.__version__}")
        raise typer.Exit


@app.callback()
def _attn(
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and leave.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    """What stands before a command's name."""


def _speak_utf8() -> None:
    """Pipes and files get UTF-8 whatever the locale; a character that a terminal lacks is escaped, never an error."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
