"""What `attn doctor` found, as people read it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from autograder.messages import clean, say

_ON = "on"
# Layers for which there is something to do; the others come with any Linux.
_ADVICE = ("landlock", "seccomp", "probe")
_LAYERS = (
    *("landlock", "seccomp", "rlimits", "capabilities", "no-new-privileges", "hidden-memory", "parent-death", "user"),
    "probe",
)


def show_machine(console: Console, found: Mapping[str, Any], language: str) -> None:
    """Versions, devices, the sandbox with a line for each layer, and what would make it stronger."""
    _line(console, _versions(found, language))
    _line(console, " ".join(str(part) for part in found["system"].values()))
    for kind, names in found["devices"].items():
        _line(console, f"{kind}: {', '.join(clean(name) for name in names) or say('doctor-none', language)}")
    sandbox = found["sandbox"]
    _line(console, "")
    _line(console, say("sandbox", language, level=sandbox["level"]), "bold")
    _line(console, say(f"sandbox-{sandbox['level']}", language))
    for name in (name for name in _LAYERS if name in sandbox["layers"]):
        _show_layer(console, name, sandbox["layers"][name], language)
    for sentence in _advice(found, language):
        _line(console, sentence, "yellow")


def _versions(found: Mapping[str, Any], language: str) -> str:
    missing = say("doctor-missing", language)
    return ", ".join(f"{name} {version or missing}" for name, version in found["versions"].items())


def _show_layer(console: Console, name: str, state: str, language: str) -> None:
    """`on` or `off`, the layer and what it does; below one that is off, why."""
    word, _, reason = state.partition(": ")
    _line(console, f"  {word:<5}{name:<19}{say(f'layer-{name}', language)}", "" if state == _ON else "yellow")
    if reason:
        _line(console, f"{'':<26}{clean(reason, longest=300)}", "dim")


def _advice(found: Mapping[str, Any], language: str) -> Iterator[str]:
    """What to do where the level is not the best; a layer that is off at the best level is not missed."""
    sandbox = found["sandbox"]
    if sandbox["level"] == "full":
        return
    if found["system"]["name"] != "Linux":
        yield say("advice-system", language)
        return
    yield from (say(f"advice-{name}", language) for name in _ADVICE if sandbox["layers"].get(name, _ON) != _ON)
    yield say("advice-else", language)


def _line(console: Console, text: str, style: str = "") -> None:
    console.print(Text(text, style=style), soft_wrap=True)
