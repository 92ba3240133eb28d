"""A submission in the sandbox."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace

from autograder.calls import Exceeded, Limit, Outcome, Status, Step, Value
from autograder.model import Cell
from autograder.sandbox.child import Child
from autograder.sandbox.folder import MEBIBYTE
from autograder.sandbox.host import Host
from autograder.sandbox.limits import Limits

DEADLY_CELLS = 3  # cells that may end the child before loading is given up
DEADLY_CALLS = 2  # calls of one function that may run out of time before it is called no more


@dataclass
class _Account:
    """What a submission has used up so far, in whichever children."""

    deadly: dict[int, Outcome] = field(default_factory=dict)  # number of a cell that ended a child -> what it gave
    overdue: Counter[str] = field(default_factory=Counter)  # calls that ran out of time, by function
    waited: float = 0.0  # seconds
    held: int = 0  # bytes that its answers take up here
    cpu_seconds: float = 0.0  # of the children that have ended
    spent_all: bool = False  # the processor time
    max_rss_bytes: int = 0
    output_is_cut: bool = False


class Sandboxed:
    """Answers steps from a submission in a child process, which is started at the first program.

    A child that ended is replaced at the next `begin`, without the cells that ended one. `load_outcomes` has one
    outcome for each cell, once something has been performed.
    """

    def __init__(
        self,
        host: Host,
        cells: Sequence[Cell],
        helpers_source: str = "",
        *,
        limits: Limits | None = None,
        watch: Sequence[str] = (),
        account: _Account | None = None,
    ) -> None:
        self._host, self._limits = host, limits or Limits()
        self._pieces = [(cell.label, cell.source, cell.first_line) for cell in cells]
        self._cells, self._helpers, self._watch = cells, helpers_source, tuple(watch)
        self._callbacks: Mapping[str, Callable[..., Value]] = {}
        self._account = account or _Account()
        self._child: Child | None = None
        self._outcomes: tuple[Outcome, ...] = ()
        self._claim: Exceeded | None = None  # the limit on memory that is a claim of the task

    @property
    def load_outcomes(self) -> tuple[Outcome, ...]:
        """One outcome for each cell."""
        self._living()
        return self._outcomes

    @property
    def layers(self) -> Mapping[str, str]:
        """The walls around the child: "on", or "off: " and why."""
        return self._living().layers

    @property
    def output(self) -> str:
        """What the present child has printed."""
        return self._child.output if self._child else ""

    @property
    def cpu_seconds(self) -> float:
        """Processor time of the children that have ended."""
        return self._account.cpu_seconds

    @property
    def max_rss_bytes(self) -> int:
        """The most memory that one of them held."""
        return self._account.max_rss_bytes

    @property
    def output_is_cut(self) -> bool:
        """Whether one of them printed more than is kept."""
        return self._account.output_is_cut

    @contextmanager
    def within(self, memory_bytes: int) -> Iterator[Sandboxed | None]:
        """The same submission in a child of its own, which the kernel gives so much memory beyond PyTorch's.

        The limit holds from before the first line of the submission. None where the kernel keeps no such limit.
        """
        if not self._host.bounds_memory:
            yield None
            return
        limits = replace(self._limits, memory_bytes=memory_bytes)
        bounded = Sandboxed(
            self._host, self._cells, self._helpers, limits=limits, watch=self._watch, account=self._account
        )
        bounded._claim = Exceeded(Limit.CLAIM, memory_bytes / MEBIBYTE)
        try:
            yield bounded
        finally:
            bounded.close()

    def begin(self, callbacks: Mapping[str, Callable[..., Value]]) -> None:
        """Start a new program, in a fresh child where the last one ended."""
        self._callbacks = callbacks
        if self._child is not None and self._child.closed and not self._is_given_up:
            self._let_go()
        self._living().begin(callbacks)

    def perform(self, step: Step) -> Outcome:
        """Run one step; whatever the submission does, an outcome comes back."""
        if (refused := self._refused(step)) is not None:
            return refused
        child = self._living()
        if child.last is not None:
            return child.last
        before = child.held_bytes
        with self._waiting():
            outcome = child.perform(step, self._callbacks)
        self._account.held += child.held_bytes - before
        if outcome.status is Status.TIMEOUT:
            self._account.overdue[step.name] += 1
        if outcome.status is Status.OUT_OF_MEMORY and outcome.exceeded is None:
            return replace(outcome, exceeded=self._claim)
        return outcome

    def close(self) -> None:
        """End the child."""
        self._let_go()

    def _refused(self, step: Step) -> Outcome | None:
        """The outcome of a step that is not even asked, because of what has been used up before."""
        if self._account.overdue[step.name] >= DEADLY_CALLS:
            return Outcome(Status.TIMEOUT, exceeded=Exceeded(Limit.AGAIN, DEADLY_CALLS))
        if (used_up := self._used_up) is not None:
            return Outcome(Status.TIMEOUT, exceeded=used_up)
        if self._account.held > self._limits.answer_bytes:
            most = self._limits.answer_bytes / MEBIBYTE
            return Outcome(Status.OUT_OF_MEMORY, exceeded=Exceeded(Limit.ANSWERS, most))
        return None

    @property
    def _used_up(self) -> Exceeded | None:
        """The time that no call of the submission has left, if it has none."""
        if self._account.waited >= self._limits.total_seconds:
            return Exceeded(Limit.TOTAL, self._limits.total_seconds)
        if self._account.spent_all:
            return Exceeded(Limit.TOTAL_CPU, self._limits.cpu_seconds)
        return None

    @property
    def _is_given_up(self) -> bool:
        return self._used_up is not None or len(self._account.deadly) >= DEADLY_CELLS

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        started = time.monotonic()
        try:
            yield
        finally:
            self._account.waited += time.monotonic() - started

    def _living(self) -> Child:
        if self._child is None:
            self._child = self._load()
        return self._child

    def _load(self) -> Child:
        """A child with all cells but the deadly ones; the last that died where too many are."""
        while True:
            # Only starts that the submission has made necessary are its own.
            with self._waiting() if self._outcomes else nullcontext():
                child = self._host.child(self._limits, self.cpu_seconds)
            chosen = [index for index in range(len(self._pieces)) if index not in self._account.deadly]
            with self._waiting():
                outcomes = child.load([self._pieces[index] for index in chosen], self._helpers, self._watch)
            given = dict(zip(chosen, outcomes, strict=False)) | self._account.deadly
            if child.last is not None and len(outcomes) <= len(chosen):
                self._account.deadly[chosen[len(outcomes) - 1]] = given[chosen[len(outcomes) - 1]] = child.last
            never_run = child.last or Outcome(Status.CRASHED)
            self._outcomes = tuple(given.get(index, never_run) for index in range(len(self._pieces)))
            if child.last is None or self._is_given_up:
                return child
            self._count(child)

    def _let_go(self) -> None:
        if self._child is not None:
            self._count(self._child)
        self._child = None

    def _count(self, child: Child) -> None:
        child.close()
        self._account.output_is_cut |= child.output_is_cut
        usage = child.usage
        if usage is not None:
            self._account.cpu_seconds += usage.cpu_seconds
            self._account.max_rss_bytes = max(self._account.max_rss_bytes, usage.max_rss_bytes)
        if child.last is not None and child.last.exceeded is not None:
            self._account.spent_all |= child.last.exceeded.limit is Limit.TOTAL_CPU
