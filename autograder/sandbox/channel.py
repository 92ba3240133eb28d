"""The host's end of a connection to a child: every wait has a deadline, and printed text is read meanwhile."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable, Sequence

import numpy as np

from autograder.sandbox.nodes import PREFIX, Node, parse, sizes_of
from autograder.sandbox.output import Output
from autograder.sandbox.wire import Reader

WATCH_SECONDS = 0.1
JOINED_BYTES = 1 << 16  # below, one copy costs less than another system call


class Overdue(Exception):
    """The deadline has passed."""


class Closed(Exception):
    """The other end is closed."""


class Channel:
    """Messages to and from a child. Deadlines are values of `time.monotonic()`.

    `watch` is called now and then while the child is waited for, and may raise to end the waiting.
    """

    def __init__(self, connection: socket.socket, output: Output, watch: Callable[[], None]) -> None:
        self._connection, self._output, self._watch = connection, output, watch
        self._watched = time.monotonic()
        connection.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(connection, selectors.EVENT_READ)
        self._pipe = output.fileno()
        if self._pipe is not None:
            self._selector.register(self._pipe, selectors.EVENT_READ)

    def send(self, parts: Sequence[memoryview], deadline: float) -> None:
        """Send all parts. Raises Overdue or Closed."""
        if sum(part.nbytes for part in parts) < JOINED_BYTES:
            parts = [memoryview(b"".join(parts))]
        for part in parts:
            rest = part
            while rest:
                try:
                    rest = rest[self._connection.send(rest) :]
                except BlockingIOError:
                    self._wait(selectors.EVENT_WRITE, deadline)
                except OSError:
                    raise Closed from None

    def receive(self, deadline: float) -> tuple[Reader, Node]:
        """The next message. Raises Overdue, Closed, or WireError for one that is none, and whatever `watch` raises."""
        self._seconds_left(deadline)  # where there is always a message, nothing is waited for
        header, payload = sizes_of(self._read(PREFIX.size, deadline))
        tree = parse(self._read(header, deadline))
        # Our worker sends arrays without strides, and torch takes none that runs backwards.
        return Reader(self._read(payload, deadline), any_layout=False, header_bytes=header), tree

    def close(self) -> None:
        """Close both ends here; text printed so far is kept."""
        self._selector.close()
        self._connection.close()
        self._output.close()

    def _read(self, size: int, deadline: float) -> memoryview:
        buffer = np.empty(size, np.uint8).data
        got = 0
        while got < size:
            try:
                count = self._connection.recv_into(buffer[got:])
            except BlockingIOError:
                self._wait(selectors.EVENT_READ, deadline)
                continue
            except OSError:
                count = 0
            if not count:
                raise Closed
            got += count
        return buffer

    def _seconds_left(self, deadline: float) -> float:
        now = time.monotonic()
        if now >= deadline:
            raise Overdue
        if now >= self._watched + WATCH_SECONDS:
            self._watched = now
            self._watch()
        return deadline - now

    def _wait(self, event: int, deadline: float) -> None:
        """Wait until the connection is ready for `event`, reading what the child prints."""
        if event != selectors.EVENT_READ:
            self._selector.modify(self._connection, event)
        try:
            while True:
                seconds = min(self._seconds_left(deadline), WATCH_SECONDS)
                ready = [key.fileobj for key, _ in self._selector.select(seconds)]
                if self._pipe in ready and not self._output.pump():
                    self._selector.unregister(self._pipe)
                    self._pipe = None
                if self._connection in ready:
                    return
        finally:
            if event != selectors.EVENT_READ:
                self._selector.modify(self._connection, selectors.EVENT_READ)
