"""One child as the grader sees it: load a submission, perform steps, know how it ended."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from autograder.calls import Event, Outcome, Raised, Status, Step, Value
from autograder.sandbox.channel import Channel, Closed, Overdue, Overfull
from autograder.sandbox.folder import Folder
from autograder.sandbox.limits import Limits
from autograder.sandbox.processes import Ended, Process, SandboxError
from autograder.sandbox.records import read_outcome, write_step
from autograder.sandbox.verifying import Walls
from autograder.sandbox.wire import Node, Reader, WireError, Writer, items, text

EVENTS_LIMIT = 10_000
_GIVEN_BY_CHILD = frozenset({Status.RETURNED, Status.RAISED, Status.MISSING, Status.OUT_OF_MEMORY})

Ending = (Overdue, Overfull, Closed, WireError)
"""What ends a child while it is waited for."""

Piece = tuple[str, str, int]
_ON = "on"
_DOUBLE = 8  # bytes


@dataclass(frozen=True)
class Setting:
    """Where a child lives: its own folder, the device, what it must not read, and the walls that hold here."""

    folder: Path
    device: str
    hidden: Sequence[str]
    walls: Walls


Callbacks = Mapping[str, Callable[..., Value]]


class Child:
    """A child process. Once it has ended, every step gives the outcome that it ended with."""

    def __init__(self, process: Process, limits: Limits, setting: Setting) -> None:
        self._process, self._limits, self._setting = process, limits, setting
        self._folder = Folder(setting.folder, limits)
        self._channel = Channel(process.connection, process.output, self._watch_folder)
        self._elements = 0
        self._ended: Ended | None = None
        self._last: Outcome | None = None
        self._watch: frozenset[str] = frozenset()
        self.layers: dict[str, str] = {}  # the walls around it: "on" or "off: " and why; known after loading
        bounds = [limits.memory_bytes, limits.cpu_seconds, limits.file_bytes, limits.open_files]
        place = [setting.device, list(setting.hidden), list(setting.walls.without)]
        self._send(["confine", str(setting.folder), *bounds, *place], self._deadline(limits.load_seconds))

    # ---- what is asked

    def load(self, pieces: Sequence[Piece], helpers: str = "", watch: Sequence[str] = ()) -> list[Outcome]:
        """Run the cells (label, source, first line): an outcome for each, up to the one that ended the child.

        Raises SandboxError where helpers.py fails.
        """
        deadline = self._deadline(self._limits.load_seconds)
        self._watch = frozenset(watch)
        sent = [[_in_utf8(label), source, line] for label, source, line in pieces]
        self._prepare(["load", sent, helpers, list(watch)], deadline)
        outcomes: list[Outcome] = []
        try:
            while len(outcomes) < len(pieces):
                outcomes.append(self._outcome(*self._channel.receive(deadline)))
        except Ending as error:
            outcomes.append(self._died(error))
        return outcomes

    def _prepare(self, order: Node, deadline: float) -> None:
        """Send the order to load, and see to what happens before any line of the submission runs."""
        try:
            self._channel.send(Writer().message(order), deadline)
            self.layers = _held(_layers(*self._channel.receive(deadline)), self._setting.walls.layers)
            helpers = self._outcome(*self._channel.receive(deadline))
        except Ending as error:
            ended = self._died(error)
            raise SandboxError(f"the child did not start: {ended.status} {ended.raised} {self.output}") from None
        if helpers.status is not Status.RETURNED:
            self.close()
            raise SandboxError(f"helpers.py failed: {helpers.raised}")

    def begin(self, callbacks: Callbacks) -> None:
        """Start a new program: the child forgets its objects, and `callbacks` may be named in arguments."""
        self._send(["begin", list(callbacks)], self._deadline(self._limits.call_seconds))

    def perform(self, step: Step, callbacks: Callbacks) -> Outcome:
        """Run one step. `Outcome.events` is what this process saw."""
        if self._last is not None:
            return self._last
        deadline = self._deadline(self._limits.call_seconds)
        writer = Writer()
        message = writer.message(["perform", write_step(writer, step)])  # WireError here is the grader's own fault
        events: list[Event] = []
        try:
            self._channel.send(message, deadline)
            while True:
                reader, tree = self._channel.receive(deadline)
                if type(tree) is not list or not tree or tree[0] != "callback":
                    return replace(self._outcome(reader, tree), events=tuple(events))
                self._call_back(reader, tree, callbacks, events, deadline)
        except Ending as error:
            return replace(self._died(error), events=tuple(events))

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
    def received_bytes(self) -> int:
        """The size of all that it has sent; numbers count as the doubles as which they are compared."""
        return self._channel.received_bytes + _DOUBLE * self._elements

    # ---- messages

    def _watch_folder(self) -> None:
        if self._folder.is_overfull:
            raise Overfull

    def _deadline(self, seconds: float) -> float:
        return time.monotonic() + seconds

    def _send(self, tree: Node, deadline: float) -> None:
        if self._last is None:
            try:
                self._channel.send(Writer().message(tree), deadline)
            except Ending as error:
                self._died(error)

    def _outcome(self, reader: Reader, tree: Node) -> Outcome:
        kind, node = items(tree, 2)
        outcome = read_outcome(reader, node)
        self._elements += reader.elements
        if kind != "outcome" or outcome.status not in _GIVEN_BY_CHILD or not self._watch.issuperset(outcome.used):
            raise WireError("not an outcome that our worker gives")
        return outcome

    def _call_back(
        self, reader: Reader, tree: list[Node], callbacks: Callbacks, events: list[Event], deadline: float
    ) -> None:
        _, name, node = items(tree, 3)
        args = reader.value(node)
        if text(name) not in callbacks or type(args) is not tuple:
            raise WireError("not a callback")
        self._elements += reader.elements
        if self.received_bytes > self._limits.answer_bytes:  # events are kept
            raise WireError("more than a submission may say")
        writer = Writer()
        try:
            returned = callbacks[name](*args)
            answer = ["answer", writer.node(returned)]
            if len(events) < EVENTS_LIMIT:
                events.append(Event(name, args, returned))
        except Exception as error:  # wrong arguments, say: the submission sees it
            writer, answer = Writer(), ["failed", f"{type(error).__name__}: {error}"]
        self._channel.send(writer.message(answer), deadline)

    # ---- its end

    def _died(self, error: Exception) -> Outcome:
        """End the process and say why."""
        self.close()
        assert self._ended is not None
        how = _how_it_ended(self._ended.code)
        if isinstance(error, Overfull):
            self._last = Outcome(Status.CRASHED, raised=Raised("Files", (), "too many files"))
        elif isinstance(error, Overdue) or self._ended.code == -_CPU_SIGNAL:
            self._last = Outcome(Status.TIMEOUT, raised=how)
        elif isinstance(error, Closed):
            self._last = Outcome(Status.CRASHED, raised=how)
        else:
            self._last = Outcome(Status.TAMPERED, raised=Raised("WireError", (), str(error)))
        return self._last


_CPU_SIGNAL = getattr(signal, "SIGXCPU", 0)


def _how_it_ended(code: int | None) -> Raised:
    if code is None:
        return Raised("Unknown", (), "the process is gone")
    if code >= 0:
        return Raised("Exit", (), str(code))
    try:
        return Raised("Signal", (), signal.Signals(-code).name)
    except ValueError:
        return Raised("Signal", (), str(-code))


def _in_utf8(label: str) -> str:
    """A file's name with bytes that are no UTF-8 written out: half a character cannot be sent."""
    return label.encode("utf-8", "backslashreplace").decode("utf-8")


def _layers(reader: Reader, tree: Node) -> dict[str, str]:
    kind, layers = items(tree, 2)
    if kind != "confined" or type(layers) is not dict:
        raise WireError("not the layers")
    return {text(name): text(state) for name, state in layers.items()}


def _held(raised: Mapping[str, str], tried: Mapping[str, str]) -> dict[str, str]:
    """A layer is on where this child raised it and the probes found that it refuses what it should."""
    unproven = tried.get("probe", "off: not tried")
    return {name: tried.get(name, unproven) if state == _ON else state for name, state in raised.items()}
