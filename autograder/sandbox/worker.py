"""The child: runs a submission and answers the host's messages. Nothing in this process is trusted by anybody."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from autograder.calls import TOO_LARGE, Outcome, Raised, Status, Value
from autograder.sandbox import jail, standins
from autograder.sandbox.errors import failed
from autograder.sandbox.loading import HELPERS, SUBMISSION, Program
from autograder.sandbox.nodes import PREFIX, VALUE_LIMIT, Node, WireError, parse, sizes_of
from autograder.sandbox.perform import Stage, perform
from autograder.sandbox.records import read_step, write_outcome
from autograder.sandbox.tensors import plain
from autograder.sandbox.wire import ELEMENT_LIMIT, Reader, Writer

TOKEN_BYTES = 32


def run_child(connection: socket.socket, output: int) -> NoReturn:
    """Become the child in a process just forked: `output` takes what is printed. Ends the process."""
    code = 1
    try:
        os.dup2(output, 1)
        os.dup2(output, 2)
        jail.read_nothing()
        jail.lead_own_session()
        jail.close_files_but(connection.fileno())
        Worker(connection).serve()
        code = 0
    except BaseException:  # whatever a submission left behind, this copy of the fork server must not live on
        traceback.print_exc()
    finally:
        os._exit(code)


def main() -> None:
    """Be a child without a fork server: connect to the port in the last argument, with the token read from stdin."""
    token = sys.stdin.buffer.read(TOKEN_BYTES)
    parent = os.dup(sys.stdin.fileno())
    jail.read_nothing()
    connection = socket.create_connection(("127.0.0.1", int(sys.argv[-1])))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.sendall(token)
    code = 1
    try:
        Worker(connection, parent).serve()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _end_with(parent: int) -> None:
    """End this process and its group when the grader has ended, whatever a submission is doing."""
    with contextlib.suppress(OSError):
        os.read(parent, 1)
    with contextlib.suppress(OSError, AttributeError):  # no groups on Windows
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


class _Closed(Exception):
    """The host is done with this child."""


class Worker:
    """Answers messages on a connection until it closes.

    `parent`: a descriptor that ends when the grader does; for where the kernel ends no child with its parent.
    """

    def __init__(self, connection: socket.socket, parent: int | None = None) -> None:
        self._connection, self._parent = connection, parent
        # Opened anew: those of a forked process still believe that they write where the fork server wrote.
        self._printed = tuple(
            os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace", closefd=False) for number in (1, 2)
        )
        sys.stdout, sys.stderr = self._printed
        self._stage = Stage({}, {})

    def serve(self) -> None:
        """Answer until the host closes the connection."""
        handlers: Mapping[str, Callable[[Reader, list[Node]], None]] = {
            "confine": self._confine,
            "load": self._load,
            "begin": self._begin,
            "perform": self._perform,
        }
        with contextlib.suppress(_Closed):
            while True:
                reader, (kind, *rest) = self._receive()
                handlers[kind](reader, rest)

    def _confine(self, reader: Reader, rest: list[Node]) -> None:
        bounds = jail.Bounds(*rest)
        jail.settle(bounds.folder)
        layers = jail.confine(bounds)
        # A thread only now: most walls hold for the thread that raises them and for those that it starts afterwards.
        if self._parent is not None and layers[jail.PARENT_DEATH] != jail.ON:
            threading.Thread(target=_end_with, args=(self._parent,), daemon=True).start()
        self._send(Writer(), ["confined", list(layers.items()), os.getpid()])

    def _load(self, reader: Reader, rest: list[Node]) -> None:
        pieces, helpers_source, watch = rest
        helpers, code = Program.named(HELPERS), Program.named(SUBMISSION)
        sys.modules.update({HELPERS: helpers.module, SUBMISSION: code.module})
        standins.install(code.module.__dict__)
        # As for a script without arguments; ours would tell where the sandbox lives.
        sys.argv = sys.orig_argv = [label for label, _, _ in pieces][:1]
        for outcome in helpers.run([("helpers.py", helpers_source, 1)]):
            self._answer(outcome)
        for outcome in code.run((label, source, line) for label, source, line in pieces):
            self._answer(outcome)
        self._stage = Stage(code.module.__dict__, helpers.module.__dict__, code.sources, tuple(watch))

    def _begin(self, reader: Reader, rest: list[Node]) -> None:
        self._stage.begin({name: functools.partial(self._call_back, name) for name in rest[0]})

    def _perform(self, reader: Reader, rest: list[Node]) -> None:
        outcome = perform(self._stage, read_step(reader, rest[0]))
        self._answer(replace(outcome, events=()))  # the host has seen them itself

    def _call_back(self, name: str, *args: Value) -> Value:
        writer = Writer()
        self._send(writer, ["callback", name, writer.node(plain(args)[0])])
        reader, (kind, value) = self._receive()
        if kind == "answer":
            return reader.value(value)
        raise RuntimeError(value)

    def _answer(self, outcome: Outcome) -> None:
        writer = Writer()
        try:
            parts = _parts(writer, outcome)
        except WireError as error:
            raised = Raised(TOO_LARGE, ("Exception",), str(error))
            writer = Writer()
            parts = writer.message(["outcome", write_outcome(writer, Outcome(Status.OUT_OF_MEMORY, raised=raised))])
        except BaseException as error:  # a recursion limit or a trace function that the submission has set
            writer = Writer()
            parts = writer.message(["outcome", write_outcome(writer, failed(error, {}))])
        self._send_parts(parts)

    def _send(self, writer: Writer, tree: Node) -> None:
        self._send_parts(writer.message(tree))

    def _send_parts(self, parts: list[memoryview]) -> None:
        for stream in self._printed:
            with contextlib.suppress(Exception):  # the submission may have closed them
                stream.flush()
        if sum(part.nbytes for part in parts) < JOINED_BYTES:
            self._connection.sendall(b"".join(parts))
            return
        for part in parts:
            self._connection.sendall(part)

    def _receive(self) -> tuple[Reader, Any]:
        header, payload = sizes_of(self._read(PREFIX.size))
        tree = parse(self._read(header))
        return Reader(self._read(payload), place=True), tree

    def _read(self, size: int) -> memoryview:
        buffer = np.empty(size, np.uint8).data
        got = 0
        while got < size:
            count = self._connection.recv_into(buffer[got:])
            if not count:
                raise _Closed
            got += count
        return buffer


def _parts(writer: Writer, outcome: Outcome) -> list[memoryview]:
    node = write_outcome(writer, outcome)
    if writer.elements > ELEMENT_LIMIT or writer.values > VALUE_LIMIT:
        raise WireError(f"too large to send: {writer.elements} numbers, {writer.values} values")
    return writer.message(["outcome", node])


JOINED_BYTES = 1 << 16  # below, one copy costs less than another system call
