"""Ways to reach code that answers steps: in this process, or in the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from autograder.calls import Outcome, Step, Value


class Target(Protocol):
    """Anything that answers steps: a submission, the reference, a known mistake."""

    def begin(self, callbacks: Mapping[str, Callable[..., Value]]) -> None:
        """Start a new program: objects of the last one are forgotten, `callbacks` answer by name."""

    def perform(self, step: Step) -> Outcome:
        """Run one step; never raises for what the code does."""

    def close(self) -> None:
        """Free whatever is held; nothing may be performed afterwards."""
