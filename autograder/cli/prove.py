"""`attn prove`: what the kit claims of itself, shown."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

import typer

from autograder.cli.answers import OURS, answering, aside, console
from autograder.cli.options import DeviceOption, JsonOption, LanguageOption, checked_device


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
    from autograder.messages import say
    from autograder.prove import prove as prove_folder

    results: dict[str, dict[str, Any]] = {}
    with aside().status("") as status:  # a terminal shows what is being proved: it may take minutes
        for folder in folders:

            def tell(stage: str, name: str = folder.name) -> None:
                status.update(f"{name}: {say(f'stage-{stage}', language)}")

            results[folder.name] = prove_folder(folder, device=device, seeds=seeds, tell=tell)
    return results


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
        for key in ("blamed_without_entry", "separations"):
            if proof.get(key):
                screen.print(f"  {say(f'proof-{key}', language)}")
                for line in proof[key]:
                    screen.print(f"    {clean(str(line), longest=2000)}", soft_wrap=True)
        for fault in faults:
            screen.print(f"  {clean(str(fault), longest=2000)}", style="red", soft_wrap=True)
