"""How commands speak: consoles, and one clear line with the right exit code where something cannot be done."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from autograder.cli.options import language_of
from autograder.course.troubles import Refused
from autograder.messages import clean, say
from autograder.model import ContentError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

USAGE, OURS, INTERRUPTED, UNHEARD = 2, 3, 130, 141  # the last two as a shell has them of Ctrl-C and a closed pipe
_WIDTH_WITHOUT_TERMINAL = 100


@contextmanager
def answering(option: str | None) -> Iterator[str]:
    """Gives the language to speak; a request that cannot be met, or our own failure, ends the command with one line.

    An authored folder with several faults gets a line for each.
    """
    language = "en"
    try:
        language = language_of(option)
        _stand_somewhere()
        try:
            yield language
        finally:
            sys.stdout.flush()  # what cannot be written is to be told here, not when Python ends
    except Refused as error:
        raise _ended(error.in_language(language), USAGE) from None
    except UsageError as error:
        raise _ended(str(error), USAGE) from None
    except ContentError as error:
        raise _ended(str(error), OURS, lines=True) from None
    except KeyboardInterrupt:
        raise _ended(say("interrupted", language), INTERRUPTED) from None
    except BrokenPipeError:
        raise _unheard() from None
    except typer.Exit:
        raise
    except Exception as error:
        if os.environ.get("ATTN_DEBUG"):
            raise
        raise failed(error, language) from error


def _stand_somewhere() -> None:
    """Nearly every command looks for the kit in the working folder and above. Raises Refused where that is gone."""
    try:
        Path.cwd()
    except OSError:
        raise Refused("usage-no-place") from None


def failed(error: Exception, language: str) -> typer.Exit:
    """The end of a command after a failure of ours, which is told in one line."""
    try:
        sys.stdout.flush()
    except OSError:  # the failure was to write: on a full disk, say
        _stop_writing()
    return _ended(say("failed", language, text=f"{type(error).__name__}: {error}"), OURS)


def _unheard() -> typer.Exit:
    """The end of a command whose reader has gone, as `head` does: nothing is wrong, and nothing more is to be said."""
    _stop_writing()
    return typer.Exit(UNHEARD)


def _stop_writing() -> None:
    """What could not be written goes nowhere: Python tries once more when it ends, and would say that it cannot."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def console() -> Console:
    """What people read."""
    return _console(terminal=sys.stdout.isatty(), stderr=False)


def aside() -> Console:
    """Progress and notes: on stderr, so that what is asked for stays alone on stdout."""
    return _console(terminal=sys.stderr.isatty(), stderr=True)


def _console(*, terminal: bool, stderr: bool) -> Console:
    from rich.console import Console

    class Ours(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would end the command with code 1, which says that a test does not pass

    width = None if terminal else _WIDTH_WITHOUT_TERMINAL
    return Ours(stderr=stderr, width=width, markup=False, highlight=False, emoji=False, soft_wrap=False)


def _ended(text: str, code: int, *, lines: bool = False) -> typer.Exit:
    for line in text.splitlines() if lines else [text]:
        typer.echo(f"attn: {clean(line, longest=2000)}", err=True)
    return typer.Exit(code)
