"""An authored folder -> what a learner gets: notebooks and scripts in each language, visible tests, the pack."""

from __future__ import annotations

import tempfile
from pathlib import Path

from autograder.content import lessons, load
from autograder.learn.pack import inputs_digest, read_pack
from autograder.learn.packing import write_pack
from autograder.model import ContentError
from autograder.notebooks.lessons import lesson_cells
from autograder.notebooks.writing import About, notebook, script

VISIBLE, PACK, HELPERS = "test_visible.py", "pack.json", "helpers.py"
_FIRST = "en"  # the language whose files carry no suffix


def build(folder: Path, out: Path) -> list[Path]:
    """Write what is made of an authored folder into `out`, say assignments/04_masked_softmax; gives what was written.

    Nothing is written where anything cannot be made. What else lies in `out` stays. Raises ContentError.
    """
    made = _made(folder) | {PACK: _pack(folder)}
    out.mkdir(parents=True, exist_ok=True)
    for name, content in made.items():
        (out / name).write_bytes(content)
    return [out / name for name in made]


def stale(folder: Path, out: Path) -> list[str]:
    """A line for each file of `out` that is not what `build` would write there; nothing is written.

    Raises ContentError.
    """
    made = _made(folder)
    expected = made.keys() | {PACK}
    there = {entry.name for entry in out.iterdir() if not _is_left_over(entry)} if out.is_dir() else set()
    faults = []
    for name in sorted(there | expected):
        if name not in there:
            faults.append(f"{out / name}: is missing")
        elif name not in expected:
            faults.append(f"{out / name}: nothing builds it")
        elif not (_pack_is_of(out / name, folder) if name == PACK else (out / name).read_bytes() == made[name]):
            faults.append(f"{out / name}: is not what attn build makes")
    return faults


def _is_left_over(entry: Path) -> bool:
    """What tools leave behind."""
    return entry.name.startswith((".", "__pycache__"))


def _made(folder: Path) -> dict[str, bytes]:
    """Every built file's content by name, but the pack's."""
    assignment, found = load(folder), lessons(folder)
    files: dict[str, bytes] = {}
    for language in found.pieces:
        cells = lesson_cells(assignment, found, language)
        about = About(assignment.name, assignment.version, language)
        stem = assignment.name.partition("_")[2] + ("" if language == _FIRST else f".{language}")
        files[f"{stem}.ipynb"] = notebook(cells, about).encode("utf-8")
        files[f"{stem}.py"] = script(cells, about).encode("utf-8")
    files[VISIBLE] = (folder / VISIBLE).read_bytes()
    if any(line.split()[1] == "helpers" for line in found.demonstrations.imports):  # a lesson uses them as well
        if not assignment.helpers:
            raise ContentError(f"{folder.name}/cells.py: imports helpers, but there is no {HELPERS}")
        files[HELPERS] = (folder / HELPERS).read_bytes()
    return files


def _pack_is_of(file: Path, folder: Path) -> bool:
    try:
        return read_pack(file).made_from == inputs_digest(folder)
    except ContentError:
        return False


def _pack(folder: Path) -> bytes:
    with tempfile.TemporaryDirectory() as scratch:
        write_pack(folder, Path(scratch) / PACK)
        return (Path(scratch) / PACK).read_bytes()
