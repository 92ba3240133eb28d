"""The host's end of a connection to a child: every wait has a deadline, and printed text is read meanwhile."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Sequence

import numpy as np

from autograder.sandbox.output import Output
from autograder.sandbox.wire import PREFIX, Node, Reader, parse, sizes_of

JOINED_BYTES = 1 << 16  # below, one copy costs less than another system call


class Overdue(Exception):
    """The deadline has passed."""


class Closed(Exception):
    """The other end is closed."""


class Channel:
    """Messages to and from a child. Deadlines are values of `time.monotonic()`."""

    def __init__(self, connection: socket.socket, output: Output) -> None:
        self._connection, self._output = connection, output
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
        """The next message. Raises Overdue, Closed, or WireError for one that is none."""
        header, payload = sizes_of(self._read(PREFIX.size, deadline))
        tree = parse(self._read(header, deadline))
        return Reader(self._read(payload, deadline)), tree

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

    def _wait(self, event: int, deadline: float) -> None:
        """Wait until the connection is ready for `event`, reading what the child prints."""
        if event != selectors.EVENT_READ:
            self._selector.modify(self._connection, event)
        try:
            while True:
                seconds = deadline - time.monotonic()
                ready = [key.fileobj for key, _ in self._selector.select(seconds)] if seconds > 0 else []
                if not ready and seconds <= 0:
                    raise Overdue
                if self._pipe in ready and not self._output.pump():
                    self._selector.unregister(self._pipe)
                    self._pipe = None
                if self._connection in ready:
                    return
        finally:
            if event != selectors.EVENT_READ:
                self._selector.modify(self._connection, selectors.EVENT_READ)
