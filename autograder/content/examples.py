"""Answers that prove the graders: each says in its first line what must become of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import msgspec

from autograder.content.files import Faults, read_text
from autograder.content.graders import GraderTest, read_tests
from autograder.content.mistakes import read_mistakes
from autograder.model import ContentError

Kind = Literal["accepted", "partial", "mistaken"]
KINDS: tuple[Kind, ...] = ("accepted", "partial", "mistaken")

_FIRST_LINES: dict[Kind, str] = {"accepted": "# accepted: ", "partial": "# may lose: ", "mistaken": "# mistakes: "}
_MEANT: dict[Kind, str] = {"accepted": "which style", "partial": "test_a, test_b", "mistaken": "id-1, id-2"}


class Example(msgspec.Struct, frozen=True):
    """A file of accepted/, partial/ or mistaken/.

    `ids`: none where it must pass; names (without "test_") of the tests it may lose; ids of the mistakes it shows.
    """

    kind: Kind
    path: Path
    ids: tuple[str, ...] = ()


def examples(folder: Path) -> list[Example]:
    """Those of an authored folder, by kind and name. Raises ContentError for a first line that is not as it must be."""
    faults = Faults(folder)
    found = read_examples(faults, read_tests(faults), read_mistakes(None, faults).ids)
    if faults.lines:
        raise ContentError(*faults.lines)
    return found


def read_examples(
    faults: Faults, tests: tuple[GraderTest, ...] | None, mistakes: tuple[str, ...] | None
) -> list[Example]:
    """Each file whose first line can be read. Unknown names in it are faults, where the known ones could be read."""
    names = None if tests is None else tuple(test.name for test in tests)
    known: dict[Kind, tuple[str, ...] | None] = {"accepted": None, "partial": names, "mistaken": mistakes}
    files = [(kind, path) for kind in KINDS for path in sorted((faults.folder / kind).glob("*.py"))]
    made = [_example(kind, path, known[kind], faults) for kind, path in files]
    return [example for example in made if example]


def _example(kind: Kind, path: Path, known: tuple[str, ...] | None, faults: Faults) -> Example | None:
    file = f"{kind}/{path.name}"
    text = read_text(file, faults)
    if text is None:
        return None
    first, start = text.partition("\n")[0].strip(), _FIRST_LINES[kind]
    said = first.removeprefix(start).strip()
    if not first.startswith(start) or not said:
        faults.add(file, f"first line must read '{start}{_MEANT[kind]}'")
        return None
    names = tuple(name.removeprefix("test_") for name in re.split(r"\s*,\s*", said)) if kind != "accepted" else ()
    for name in names:
        if known is not None and name not in known:
            faults.add(file, f"first line: unknown {'test' if kind == 'partial' else 'mistake'} {name!r}")
    return Example(kind, path, names)
