"""`attn doctor`: what this machine can do, which walls stand around a submission here, and what would mend the rest."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import sys
from typing import Any

import autograder
from autograder.cli.answers import answering, console
from autograder.cli.options import DeviceOption, JsonOption, LanguageOption, checked_device

_LIBRARIES = ("torch", "numpy", "msgspec", "pytest", "nbformat", "nbgrader")


def doctor(*, device: DeviceOption = "cpu", json: JsonOption = False, lang: LanguageOption = None) -> None:
    """What this machine can do: versions, devices, and the sandbox."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with answering(lang) as language:
        found = examine(checked_device(device))
        if json:
            from autograder.course.reports import encoded

            sys.stdout.write(encoded(found).decode("utf-8"))
        else:
            from autograder.present.machine import show_machine

            show_machine(console(), found, language)


def examine(device: str) -> dict[str, Any]:
    """Versions (None: not installed), the system, its devices, and the sandbox's level and layers."""
    from autograder.sandbox.host import Host

    with Host(device=device) as host:
        sandbox = {"level": host.level, "layers": dict(host.walls.layers)}
    return {
        "versions": {"attn": autograder.__version__, "python": platform.python_version(), **_versions()},
        "system": {"name": platform.system(), "release": platform.release(), "machine": platform.machine()},
        "devices": _devices(),
        "sandbox": sandbox,
    }


def _versions() -> dict[str, str | None]:
    there = {name: importlib.util.find_spec(name) is not None for name in _LIBRARIES}
    return {name: importlib.metadata.version(name) if there[name] else None for name in _LIBRARIES}


def _devices() -> dict[str, list[str]]:
    """The names of the processors of each kind; none where PyTorch cannot use that kind."""
    import torch

    graphics = range(torch.cuda.device_count()) if torch.cuda.is_available() else ()
    return {
        "cpu": [f"{os.cpu_count() or 1} cores"],
        "cuda": [torch.cuda.get_device_name(number) for number in graphics],
        "mps": [platform.machine()] if torch.backends.mps.is_available() else [],
    }
