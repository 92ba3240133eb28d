"""One child as the grader sees it: load a submission, perform steps, know how it ended."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from autograder.calls import Exceeded, Limit, Outcome, Raised, Status, Step
from autograder.sandbox.calling import Callbacks, Calling
from autograder.sandbox.channel import Channel, Closed, Overdue
from autograder.sandbox.folder import Folder
from autograder.sandbox.limits import Limits
from autograder.sandbox.nodes import Node, WireError, items, text, whole
from autograder.sandbox.processes import Ended, Process, SandboxError
from autograder.sandbox.records import read_outcome, write_step
from autograder.sandbox.spending import Allowance, Exhausted, cpu_seconds_of, exceeded_by
from autograder.sandbox.verifying import Walls, WallsFell
from autograder.sandbox.wire import Reader, Writer

_GIVEN_BY_CHILD = frozenset({Status.RETURNED, Status.RAISED, Status.MISSING, Status.OUT_OF_MEMORY})

Ending = (Overdue, Exhausted, Closed, WireError)
"""What ends a child while it is waited for."""

Piece = tuple[str, str, int]


@dataclass(frozen=True)
class Setting:
    """Where a child lives: its own folder, the device, what it must not read, and the walls that hold here."""

    folder: Path
    device: str
    hidden: Sequence[str]
    walls: Walls


class Child:
    """A child process. Once it has ended, every step gives the outcome that it ended with.

    `spent`: processor time that the submission has used in other children.
    """

    def __init__(self, process: Process, limits: Limits, setting: Setting, spent: float = 0.0) -> None:
        self._process, self._limits, self._setting = process, limits, setting
        self._folder = Folder(setting.folder, limits)
        self._channel = Channel(process.connection, process.output, self._look)
        self._cpu_left = max(1, math.ceil(limits.cpu_seconds - spent))
        self._pid = 0
        self._test = self._of_test()
        self._spent: tuple[Allowance, ...] = ()  # what is being used up just now
        self._held_bytes = 0
        self._ended: Ended | None = None
        self._last: Outcome | None = None
        self._watch: frozenset[str] = frozenset()
        self.layers: dict[str, str] = {}  # the walls around it: "on" or "off: " and why; known after loading
        bounds = [limits.memory_bytes, self._cpu_left, limits.file_bytes, limits.open_files]
        place = [setting.device, list(setting.hidden), list(setting.walls.without)]
        self._send(["confine", str(setting.folder), *bounds, *place])

    # ---- what is asked

    def load(self, pieces: Sequence[Piece], helpers: str = "", watch: Sequence[str] = ()) -> list[Outcome]:
        """Run the cells (label, source, first line): an outcome for each, up to the one that ended the child.

        Raises SandboxError where helpers.py fails, and where a wall does not stand that should: then nothing has run.
        """
        self._watch = frozenset(watch)
        sent = [[_in_utf8(label), source, line] for label, source, line in pieces]
        outcomes: list[Outcome] = []
        with self._spending(self._of_loading()) as deadline:
            self._prepare(["load", sent, helpers, list(watch)], deadline)
            try:
                while len(outcomes) < len(pieces):
                    outcomes.append(self._outcome(*self._channel.receive(deadline)))
            except Ending as error:
                outcomes.append(self._died(error))
        return outcomes

    def _prepare(self, order: Node, deadline: float) -> None:
        """See to what happens before any line of the submission runs, and only then send the order to load."""
        try:
            raised, self._pid = _confined(*self._channel.receive(deadline))
            self.layers = self._setting.walls.held(raised)
            self._channel.send(Writer().message(order), deadline)
            helpers = self._outcome(*self._channel.receive(deadline))
        except Ending as error:
            ended = self._died(error)
            raise SandboxError(f"the child did not start: {ended.status} {ended.raised} {self.output}") from None
        except WallsFell:
            self.close()
            raise
        if helpers.status is not Status.RETURNED:
            self.close()
            raise SandboxError(f"helpers.py failed: {helpers.raised}")

    def begin(self, callbacks: Callbacks) -> None:
        """Start a new program: the child forgets its objects, and `callbacks` may be named in arguments."""
        self._test = self._of_test()
        self._send(["begin", list(callbacks)])

    def perform(self, step: Step, callbacks: Callbacks) -> Outcome:
        """Run one step. `Outcome.events` is what this process saw."""
        if self._last is not None:
            return self._last
        writer = Writer()
        message = writer.message(["perform", write_step(writer, step)])  # WireError here is the grader's own fault
        calling = Calling(callbacks, self._limits)
        with self._spending(self._of_call(), self._test) as deadline:
            try:
                self._channel.send(message, deadline)
                outcome = self._answer(calling, deadline)
            except Ending as error:
                outcome = self._died(error)
        self._held_bytes += calling.held_bytes
        return replace(outcome, events=tuple(calling.events))

    def _answer(self, calling: Calling, deadline: float) -> Outcome:
        """The outcome of the step under way; calls of callbacks are answered until it comes."""
        while True:
            reader, tree = self._channel.receive(deadline)
            if type(tree) is not list or not tree or tree[0] != "callback":
                return self._outcome(reader, tree)
            self._channel.send(calling.answer(reader, tree), deadline)

    # ---- what is known of it

    @property
    def closed(self) -> bool:
        """Whether the process has ended."""
        return self._ended is not None

    @property
    def last(self) -> Outcome | None:
        """What ended the child; None while it lives or after a plain `close`."""
        return self._last

    @property
    def output(self) -> str:
        """What it printed, cut to the limit; complete once it has ended."""
        return self._process.output.text

    @property
    def output_is_cut(self) -> bool:
        """Whether it printed more than is kept."""
        return self._process.output.is_cut

    @property
    def usage(self) -> Ended | None:
        """How it ended, its CPU seconds and largest memory, as the kernel counted; None while it lives."""
        return self._ended

    def close(self) -> None:
        """End the process, reap it and remove its folder."""
        if self._ended is None:
            self._ended = self._process.end()
            self._channel.close()
            self._folder.remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def held_bytes(self) -> int:
        """What all that it has sent takes up while it is kept, about, with what callbacks gave it."""
        return self._held_bytes

    # ---- what it uses up

    def _of_call(self) -> Allowance:
        return Allowance(Limit.CALL, self._limits.call_seconds, Limit.CALL_CPU, self._limits.call_cpu_seconds)

    def _of_test(self) -> Allowance:
        return Allowance(Limit.TEST, self._limits.test_seconds, Limit.TEST_CPU, self._limits.test_cpu_seconds)

    def _of_loading(self) -> Allowance:
        return Allowance(Limit.CALL, self._limits.load_seconds, Limit.TOTAL_CPU, self._limits.cpu_seconds)

    @contextmanager
    def _spending(self, *allowances: Allowance) -> Iterator[float]:
        """While it is entered, time is waited on these; the deadline is that of the one which ends first."""
        started, self._spent = time.monotonic(), allowances
        try:
            yield started + min(allowance.left for allowance in allowances)
        finally:
            self._spent = ()
            for allowance in allowances:
                allowance.waited += time.monotonic() - started

    def _look(self) -> None:
        """Now and then while waiting: whether a limit is exceeded that no deadline keeps."""
        if (exceeded := self._folder.exceeded()) is not None:
            raise Exhausted(Status.CRASHED, exceeded)
        if self._pid and (cpu := cpu_seconds_of(self._pid)) is not None:
            for allowance in self._spent:
                allowance.look(cpu)

    # ---- messages

    def _send(self, tree: Node) -> None:
        if self._last is None:
            with self._spending(self._of_loading()) as deadline:
                try:
                    self._channel.send(Writer().message(tree), deadline)
                except Ending as error:
                    self._died(error)

    def _outcome(self, reader: Reader, tree: Node) -> Outcome:
        kind, node = items(tree, 2)
        outcome = read_outcome(reader, node)
        self._held_bytes += reader.held_bytes
        if kind != "outcome" or outcome.status not in _GIVEN_BY_CHILD or not self._watch.issuperset(outcome.used):
            raise WireError("not an outcome that our worker gives")
        return replace(outcome, exceeded=exceeded_by(outcome.raised))

    # ---- its end

    def _died(self, error: Exception) -> Outcome:
        """End the process and say why."""
        self.close()
        assert self._ended is not None
        self._last = self._end_by(error, self._ended)
        return self._last

    def _end_by(self, error: Exception, ended: Ended) -> Outcome:
        how = ended.how
        if isinstance(error, Exhausted):
            return Outcome(error.status, raised=how, exceeded=error.exceeded)
        # The signal can be caught; the one that follows cannot, but says no more than that somebody sent it.
        if ended.code == -_CPU_SIGNAL or (isinstance(error, Closed) and ended.cpu_seconds >= self._cpu_left):
            return Outcome(Status.TIMEOUT, raised=how, exceeded=Exceeded(Limit.TOTAL_CPU, self._limits.cpu_seconds))
        if isinstance(error, Overdue):
            first = min(self._spent, key=lambda allowance: allowance.left)
            return Outcome(Status.TIMEOUT, raised=how, exceeded=first.overdue)
        if isinstance(error, Closed):
            return Outcome(Status.CRASHED, raised=how)
        return Outcome(Status.TAMPERED, raised=Raised("WireError", (), str(error)))


_CPU_SIGNAL = getattr(signal, "SIGXCPU", 0)


def _in_utf8(label: str) -> str:
    """A file's name with bytes that are no UTF-8 written out: half a character cannot be sent."""
    return label.encode("utf-8", "backslashreplace").decode("utf-8")


def _confined(reader: Reader, tree: Node) -> tuple[dict[str, str], int]:
    """The layers that a child says it has raised, and its process id."""
    kind, layers, pid = items(tree, 3)
    if kind != "confined":
        raise WireError("not the layers")
    return {text(name): text(state) for name, state in (items(layer, 2) for layer in items(layers))}, whole(pid)
