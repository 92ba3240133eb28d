"""Where the authored folders are, and which one a person means."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from autograder.model import UsageError

_ASSIGNMENT = re.compile(r"\d\d_[a-z0-9_]+")
_OURS = Path(__file__).resolve().parents[2]  # the repository, where the package is not installed elsewhere


def find_solutions(start: Path | None = None) -> Path:
    """The folder of authored assignments: above `start` (default: the working directory), else beside this package.

    Raises UsageError where there is none, as in a learner's kit.
    """
    begin = (start or Path.cwd()).resolve()
    for folder in (begin, *begin.parents, _OURS):
        for candidate in (folder / "solutions", folder):
            if any((candidate / name / "assignment.toml").is_file() for name in assignment_names(candidate)):
                return candidate
    raise UsageError(f"no folder 'solutions' in {begin} or above")


def assignment_names(solutions: Path) -> list[str]:
    """Names such as "04_masked_softmax", in order."""
    if not solutions.is_dir():
        return []
    return sorted(entry.name for entry in solutions.iterdir() if _ASSIGNMENT.fullmatch(entry.name) and entry.is_dir())


def resolve(solutions: Path, name_or_prefix: str) -> Path:
    """The folder that a name ("04_masked_softmax"), a number ("04", "4") or a unique part of a name means.

    Raises UsageError, with the names there are, where none or several fit.
    """
    names = assignment_names(solutions)
    found = _fitting(names, re.sub(r"[\s\-]+", "_", name_or_prefix.strip().lower()))
    if len(found) == 1:
        return solutions / found[0]
    known = ", ".join(names) or "none"
    if found:
        raise UsageError(f"{name_or_prefix!r} fits {' and '.join(found)}; there is: {known}")
    close = _closest(names, name_or_prefix)
    meant = f"; did you mean {close}?" if close else ";"
    raise UsageError(f"no assignment {name_or_prefix!r}{meant} there is: {known}")


def _fitting(names: list[str], asked: str) -> list[str]:
    """What fits best: the name itself, else the number, else the part."""
    if asked in names:
        return [asked]
    if asked.isascii() and asked.isdigit():
        return [name for name in names if int(name[:2]) == int(asked)]
    return [name for name in names if asked and asked in name]


def _closest(names: list[str], asked: str) -> str | None:
    """Compared with and without the number: who mistypes a name has often left the number out."""
    spelled = {spelling: name for name in names for spelling in (name, name[3:])}
    close = difflib.get_close_matches(asked.lower(), spelled, n=1)
    return spelled[close[0]] if close else None
