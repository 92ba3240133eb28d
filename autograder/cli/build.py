"""`attn build`: what learners get, made of what authors write."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.answers import OURS, answering, console
from autograder.cli.options import LanguageOption

_OUT = "assignments"


def build(
    assignments: Annotated[
        list[str] | None, typer.Argument(metavar="ASSIGNMENT", help="All, if none is named.")
    ] = None,
    *,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 3 where a built file is stale.")] = False,
    lang: LanguageOption = None,
) -> None:
    """Build learners' notebooks, scripts and packs."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with answering(lang) as language:
        folders = _folders(assignments)
        if not check:
            _write(folders, language)
        elif not _all_fresh(folders, language):
            raise typer.Exit(OURS)


def _folders(asked: list[str] | None) -> dict[Path, Path]:
    """Authored folders, and where what is built of them goes."""
    from autograder.content import assignment_names, find_solutions, resolve

    solutions = find_solutions()
    authored = [resolve(solutions, name) for name in asked or assignment_names(solutions)]
    return {folder: solutions.parent / _OUT / folder.name for folder in authored}


def _write(folders: dict[Path, Path], language: str) -> None:
    from autograder.build import build as build_folder
    from autograder.messages import say

    for folder, out in folders.items():
        written = build_folder(folder, out)
        console().print(say("built", language, count=len(written), path=str(out)), soft_wrap=True)


def _all_fresh(folders: dict[Path, Path], language: str) -> bool:
    from autograder.build import stale
    from autograder.messages import clean, say

    faults = [fault for folder, out in folders.items() for fault in stale(folder, out)]
    for fault in faults:
        console().print(clean(fault, longest=2000), soft_wrap=True)
    if not faults:
        console().print(say("build-fresh", language))
    return not faults
