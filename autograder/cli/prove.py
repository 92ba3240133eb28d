"""`attn prove`: what the kit claims of itself, shown."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autograder.cli.answers import OURS, answering, aside, console
from autograder.cli.options import DeviceOption, JsonOption, LanguageOption, checked_device

if TYPE_CHECKING:
    from rich.status import Status


def prove(
    assignments: Annotated[
        list[str] | None, typer.Argument(metavar="ASSIGNMENT", help="All, if none is named.")
    ] = None,
    *,
    seeds: Annotated[
        int, typer.Option("--seeds", metavar="N", min=0, help="Also grade right answers under N other secrets.")
    ] = 0,
    json: JsonOption = False,
    device: DeviceOption = "cpu",
    lang: LanguageOption = None,
) -> None:
    """Prove the graders: mistakes named, right answers passed."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with answering(lang) as language:
        results = _proofs(assignments, checked_device(device), seeds, language)
        if json:
            from autograder.course.reports import encoded

            sys.stdout.write(encoded(results).decode("utf-8"))
        else:
            _show(results, language)
        if any(proof["faults"] for proof in results.values()):
            raise typer.Exit(OURS)


def _proofs(asked: list[str] | None, device: str, seeds: int, language: str) -> dict[str, dict[str, Any]]:
    from autograder.content import assignment_names, find_solutions, resolve

    solutions = find_solutions()
    folders = [resolve(solutions, name) for name in asked or assignment_names(solutions)]
    workers = min(len(folders), os.cpu_count() or 1)
    with aside().status("") as status:  # a terminal shows what is being proved: it may take minutes
        if workers > 1:
            return _side_by_side(folders, workers, partial(_proof, device=device, seeds=seeds), status)
        return {folder.name: _proof(folder, device, seeds, _teller(status, folder, language)) for folder in folders}


def _proof(folder: Path, device: str, seeds: int, tell: Callable[[str], None] | None = None) -> dict[str, Any]:
    from autograder.prove import prove

    with warnings.catch_warnings(action="ignore"):  # mistaken code warns, and nobody is to mend it
        return prove(folder, device=device, seeds=seeds, tell=tell)


def _teller(status: Status, folder: Path, language: str) -> Callable[[str], None]:
    from autograder.messages import say

    return lambda stage: status.update(f"{folder.name}: {say(f'stage-{stage}', language)}")


def _side_by_side(
    folders: list[Path], workers: int, proof: Callable[[Path], dict[str, Any]], status: Status
) -> dict[str, dict[str, Any]]:
    """Each proof in a process of its own, begun afresh: torch's threads do not survive a fork."""
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        running = {folder.name: pool.submit(proof, folder) for folder in folders}
        for _ in as_completed(running.values()):
            status.update(", ".join(name for name, future in running.items() if not future.done()))
        return {name: future.result() for name, future in running.items()}


def _show(results: dict[str, dict[str, Any]], language: str) -> None:
    from autograder.messages import clean, say

    screen = console()
    for name, proof in results.items():
        faults = proof["faults"]
        id_ = "proof-faults" if faults else "proof-holds"
        screen.print(say(id_, language, assignment=name, count=len(faults)), style="bold")
        for key, value in proof.items():
            if isinstance(value, int | float | str):
                screen.print(f"  {key:<28}{value}")
        for group in proof.get("groups", []):
            reasons = "; ".join(f"{other}: {reason}" for other, reason in group["reasons"].items())
            screen.print(f"  {'group of ' + str(group['size']):<28}{group['id']} = {reasons}", soft_wrap=True)
        for key in ("blamed_without_entry", "separations"):
            if proof.get(key):
                screen.print(f"  {say(f'proof-{key}', language)}")
                for line in proof[key]:
                    screen.print(f"    {clean(str(line), longest=2000)}", soft_wrap=True)
        for fault in faults:
            screen.print(f"  {clean(str(fault), longest=2000)}", style="red", soft_wrap=True)
