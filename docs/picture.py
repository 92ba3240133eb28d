"""Draws docs/demo.svg, the picture at the top of the README: a class graded in a terminal.

Run `python docs/picture.py` in the repository's root, after changes to what `attn grade` prints.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

HERE = Path(__file__).parent
COMMAND = "attn grade tests/submissions/02_qkv_projections"


def main() -> None:
    """Runs the command and records what it prints."""
    arguments = [sys.executable, "-m", "autograder.cli", *COMMAND.split()[1:]]
    printed = subprocess.run(arguments, capture_output=True, check=True, encoding="utf-8", cwd=HERE.parent).stdout
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        screen = Console(record=True, width=100, file=nowhere, markup=False, highlight=False)
        screen.print(Text("$ " + COMMAND, "bold"))
        screen.print(Text(printed))
    picture = screen.export_svg(title="attn", theme=DIMMED_MONOKAI, unique_id="demo")
    (HERE / "demo.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
