"""How commands speak: consoles, and one clear line with the right exit code where something cannot be done."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from autograder.cli.options import language_of
from autograder.course.troubles import Refused
from autograder.messages import clean, say
from autograder.model import ContentError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

USAGE, OURS, INTERRUPTED = 2, 3, 130
_WIDTH_WITHOUT_TERMINAL = 100


@contextmanager
def answering(option: str | None) -> Iterator[str]:
    """Gives the language to speak; a request that cannot be met, or our own failure, ends the command with one line.

    An authored folder with several faults gets a line for each.
    """
    language = "en"
    try:
        language = language_of(option)
        yield language
    except Refused as error:
        raise _ended(error.in_language(language), USAGE) from None
    except UsageError as error:
        raise _ended(str(error), USAGE) from None
    except ContentError as error:
        raise _ended(str(error), OURS, lines=True) from None
    except KeyboardInterrupt:
        raise _ended(say("interrupted", language), INTERRUPTED) from None
    except (typer.Exit, BrokenPipeError):
        raise
    except Exception as error:
        if os.environ.get("ATTN_DEBUG"):
            raise
        raise _ended(say("failed", language, text=f"{type(error).__name__}: {error}"), OURS) from error


def console() -> Console:
    """What people read."""
    return _console(terminal=sys.stdout.isatty(), stderr=False)


def aside() -> Console:
    """Progress and notes: on stderr, so that what is asked for stays alone on stdout."""
    return _console(terminal=sys.stderr.isatty(), stderr=True)


def _console(*, terminal: bool, stderr: bool) -> Console:
    from rich.console import Console

    width = None if terminal else _WIDTH_WITHOUT_TERMINAL
    return Console(stderr=stderr, width=width, markup=False, highlight=False, emoji=False, soft_wrap=False)


def _ended(text: str, code: int, *, lines: bool = False) -> typer.Exit:
    for line in text.splitlines() if lines else [text]:
        typer.echo(f"attn: {clean(line, longest=2000)}", err=True)
    return typer.Exit(code)
