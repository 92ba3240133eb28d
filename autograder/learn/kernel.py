"""The learner's own functions, where they stand: in the kernel of a notebook, or in a script."""

from __future__ import annotations

import linecache
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import FunctionType
from typing import Any

from autograder.calls import Outcome, Step
from autograder.targets.inprocess import InProcess


class KernelTarget:
    """Answers steps from a namespace. A line of an exception is said to be of the function's cell, or of the file."""

    def __init__(self, namespace: Mapping[str, Any], helpers: str, watch: Sequence[str]) -> None:
        self._labels = labels_of(namespace)
        sources = {file: linecache.getlines(file) for file in self._labels}
        self._target = InProcess.from_namespace(dict(namespace), helpers, watch=watch, sources=sources)
        self.begin = self._target.begin
        self.close = self._target.close

    def perform(self, step: Step) -> Outcome:
        """Runs one step here."""
        outcome = self._target.perform(step)
        if outcome.raised is None:
            return outcome
        frames = tuple(replace(frame, file=self._labels[frame.file]) for frame in outcome.raised.frames)
        return replace(outcome, raised=replace(outcome.raised, frames=frames))


def labels_of(namespace: Mapping[str, Any]) -> dict[str, str]:
    """The files in which a namespace's own functions were written -> how to call them to their author.

    A cell of a notebook is a file with a number for a name; its first function says more.
    """
    labels: dict[str, str] = {}
    for name, value in namespace.items():
        for function in _functions_of(value, str(namespace.get("__name__"))):
            file = function.__code__.co_filename
            labels.setdefault(file, Path(file).name if _is_script(file, namespace) else name)
    return labels


def _functions_of(value: Any, module: str) -> list[FunctionType]:
    try:
        is_own = getattr(value, "__module__", None) == module
    except Exception:  # noqa: BLE001 - a notebook holds any object; a proxy may raise whatever is asked of it
        return []
    if not is_own:
        return []
    inside = vars(value).values() if isinstance(value, type) else [value]
    return [function for function in inside if isinstance(function, FunctionType)]


def _is_script(file: str, namespace: Mapping[str, Any]) -> bool:
    return file == namespace.get("__file__")
