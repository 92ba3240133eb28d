"""The `attn` command."""

from __future__ import annotations

import sys

_INTERRUPTED = 130  # as a shell has it of Ctrl-C


def main() -> None:
    """The entry point.

    Exit codes: 0 done, 1 a visible test does not pass (check), 2 wrong usage, 3 our own failure; 130 after Ctrl-C, 141
    where nobody reads on.
    """
    try:
        from autograder.cli.commands import run  # here, since whoever presses Ctrl-C does it at any moment

        run()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
