"""An assignment made ready for grading, wherever what is expected comes from: the reference itself, or a pack."""

from __future__ import annotations

import hashlib
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch

from autograder.calls import Outcome, Step
from autograder.compare import Expected, Signature
from autograder.diagnose import World
from autograder.graders.inputs import PUBLIC, Make
from autograder.model import Assignment, Case, Mistake
from autograder.targets import Target


@dataclass
class Recording:
    """The steps of one test as every target gets them, and what the reference gave to each."""

    steps: list[Step] = field(default_factory=list)
    expected: list[Expected] = field(default_factory=list)
    signatures: list[Signature] = field(default_factory=list)  # of the reference's plain outcomes
    callbacks: dict[tuple[str, ...], Callable[[], Mapping[str, Callable[..., Any]]]] = field(default_factory=dict)

    def fresh_callbacks(self) -> dict[str, Callable[..., Any]]:
        """The grader's functions for one target, by name; those that were made together share what they know."""
        return {name: function for make in self.callbacks.values() for name, function in make().items()}


class CallsDepend(Exception):
    """A test's calls are not the same for every submission: a fault of the test."""


class Prepared(ABC):
    """One assignment on one device with one secret: what graders, findings and reports ask of it."""

    def __init__(self, assignment: Assignment, device: str, secret: str = PUBLIC) -> None:
        self.assignment = assignment
        self.device = device
        self._secret = secret
        self.secret_id = secret if secret == PUBLIC else hashlib.sha256(secret.encode()).hexdigest()[:12]
        self.watch = tuple(sorted({name for spec in assignment.functions for name in spec.off_limits}))
        self.magnified = 1.0  # proofs ask for larger inputs
        self.follow_through = True  # what is right given an earlier mistake gets its points
        self.timings: dict[str, float] = {}
        self._inside = 0.0  # CPU seconds already counted within the phase that is being timed
        self.recordings: dict[str, Recording] = {}

    @abstractmethod
    def expect(self, test: str, index: int, step: Step) -> Expected:
        """What the reference gives to step `index` of a test."""

    @abstractmethod
    def preview(self, test: str, step: Step) -> Outcome:
        """What the reference would give to the next step of a test; the step itself may still change."""

    @abstractmethod
    def reference(self, test: str) -> Target:
        """The reference as a target of its own, for a test that calls it by itself."""

    @abstractmethod
    def replay(self, cases: Sequence[Case]) -> World:
        """The world of some cases' edits, ready to be asked."""

    def heeds(self, cases: Sequence[Case], run: str, among: Sequence[str]) -> bool:  # noqa: ARG002 - packs pay nothing
        """Whether what matters to the reference in a test's run is heeded in the world of some cases, in `among`."""
        return False

    def generated(self) -> Sequence[Mistake]:
        """Edits that nobody wrote, where the reference is at hand to be edited."""
        return ()

    def make(self, test: str, dtype: torch.dtype, *, visible: bool) -> Make:
        """The generator of a test's inputs; visible tests are the same for everybody."""
        secret = PUBLIC if visible else self._secret
        assignment = self.assignment
        seed = f"{secret}/{assignment.name}/{assignment.version}/{test}"
        return Make(seed, dtype, self.device, magnified=self.magnified)

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        """Adds the CPU seconds of the block to a phase, less those of phases inside it."""
        start, inside_before = time.process_time(), self._inside
        self._inside = 0.0
        try:
            yield
        finally:
            spent = time.process_time() - start
            self.spend(phase, spent - self._inside)
            self._inside = inside_before + spent

    def spend(self, phase: str, seconds: float) -> None:
        """Adds CPU seconds to a phase."""
        self.timings[phase] = self.timings.get(phase, 0.0) + seconds

    def recording(self, test: str) -> Recording:
        """The steps of a test's run and the reference's outcomes, as far as they are known."""
        return self.recordings.setdefault(test, Recording())

    def is_off_limits(self, function: str, used: Sequence[str]) -> bool:
        """Whether library functions that ran do a function's task in its place."""
        specs = [spec for spec in self.assignment.functions if spec.name == function]
        return any(name in spec.off_limits for spec in specs for name in used)
