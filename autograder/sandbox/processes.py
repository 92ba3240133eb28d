"""How a child process comes to be and ends; those that are forked by a fork server."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec

from autograder.calls import Raised
from autograder.sandbox.output import Output
from autograder.sandbox.starting import command, environment

START_SECONDS = 120.0  # importing torch on a slow disk
CLOSE_SECONDS = 5.0
END_SECONDS = 10.0  # ending a child takes milliseconds, unless a submission has stopped the fork server
KILL_ROUNDS = 100
LOG_CHARACTERS = 2000
CHUNK = 1 << 16


class SandboxError(Exception):
    """The sandbox itself does not work: our fault or the machine's, never the submission's."""


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit code (negative: the signal that killed it; None: unknown) and what it used."""

    code: int | None
    cpu_seconds: float = 0.0
    max_rss_bytes: int = 0

    @property
    def how(self) -> Raised:
        """The exit code or the signal's name, in the form of an exception."""
        if self.code is None:
            return Raised("Unknown", (), "the process is gone")
        if self.code >= 0:
            return Raised("Exit", (), str(self.code))
        try:
            return Raised("Signal", (), signal.Signals(-self.code).name)
        except ValueError:
            return Raised("Signal", (), str(-self.code))


class Process(Protocol):
    """A child process: where to talk to it, what it prints, and how to end it."""

    connection: socket.socket
    output: Output

    def end(self) -> Ended:
        """Kill it with everything it started, and reap it."""


class Launcher(Protocol):
    """A way to start child processes."""

    def start(self) -> None:
        """Begin to prepare; returns at once."""

    def launch(self, output_bytes: int) -> Process:
        """A fresh child. Raises SandboxError."""

    def close(self) -> None:
        """End whatever runs."""


class ForkServer:
    """Children forked from one process that has imported torch already: milliseconds each."""

    def __init__(self, python: str, folder: Path, preload: Sequence[str]) -> None:
        self._python, self._folder, self._preload = python, folder, tuple(preload)
        self._server: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._ready = False
        self._numbers = 0

    @property
    def _log(self) -> Path:
        return self._folder / "server.log"

    def start(self) -> None:
        """Start the server unless it runs already."""
        if self._server is not None and self._server.poll() is None:
            return
        self.close()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        arguments = [str(theirs.fileno()), str(self._folder), *self._preload]
        with theirs, self._log.open("wb") as log:
            self._server = subprocess.Popen(
                command(self._python, "autograder.sandbox.zygote", arguments),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                env=environment(),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    def launch(self, output_bytes: int) -> Process:
        """Fork a child; waits until the server is ready."""
        self.start()
        if not self._ready:
            self._receive(START_SECONDS)
            self._ready = True
        self._numbers += 1
        connection, theirs = socket.socketpair()
        reading, writing = os.pipe()
        with theirs:
            try:
                request = msgspec.msgpack.encode(["fork", self._numbers])
                socket.send_fds(self._open_control(), [request], [theirs.fileno(), writing])
            except OSError as error:
                connection.close()
                os.close(reading)
                raise self._failure() from error
            finally:
                os.close(writing)
        return _Forked(self, self._numbers, connection, Output(reading, output_bytes))

    def end(self, number: int) -> Ended:
        """End a child; where the server itself is gone or answers no more, its children end with it."""
        try:
            self._open_control().send(msgspec.msgpack.encode(["end", number]))
            reply = self._receive(END_SECONDS)
        except (OSError, SandboxError):
            self._give_up()
            return Ended(None)
        if not reply:
            return Ended(None)
        status, cpu_seconds, max_rss = reply
        return Ended(os.waitstatus_to_exitcode(status), cpu_seconds, max_rss)

    def close(self) -> None:
        """Close the connection: the server ends its children and itself."""
        if self._control is not None:
            self._control.close()
        if self._server is not None:
            if not self._ready:  # still importing, with no children yet
                self._server.kill()
            try:
                self._server.wait(CLOSE_SECONDS)
            except subprocess.TimeoutExpired:  # its children die with it
                self._server.kill()
                self._server.wait()
        self._control, self._server, self._ready = None, None, False

    def _give_up(self) -> None:
        """Kill the server with all that it started; the next launch has a new one."""
        if self._server is not None and self._server.poll() is None:
            _kill_with_children(self._server)
        self.close()

    def _open_control(self) -> socket.socket:
        if self._control is None:
            raise SandboxError("the fork server is closed")
        return self._control

    def _receive(self, seconds: float) -> list[int]:
        control = self._open_control()
        control.settimeout(seconds)
        try:
            data = control.recv(CHUNK)
        except OSError as error:
            raise self._failure() from error
        if not data:
            raise self._failure()
        return msgspec.msgpack.decode(data, type=list)

    def _failure(self) -> SandboxError:
        log = self._log.read_text("utf-8", "replace") if self._log.exists() else ""
        return SandboxError(f"the fork server ended or does not answer: {log[-LOG_CHARACTERS:]}")


def _kill_with_children(server: subprocess.Popen[bytes]) -> None:
    """The children first, since those that a killed one leaves behind become the server's while it is there."""
    killed: set[int] = set()
    for _ in range(KILL_ROUNDS):
        found = _children_of(server.pid) - killed
        for pid, kill in itertools.product(found, (os.kill, os.killpg)):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(pid, signal.SIGKILL)
        killed |= found
        time.sleep(0.01 if found else 0)  # until what they leave behind has been handed over
    server.kill()


def _children_of(pid: int) -> set[int]:
    try:
        return {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()}
    except OSError:  # not Linux, or ended just now
        return set()


class _Forked:
    def __init__(self, server: ForkServer, number: int, connection: socket.socket, output: Output) -> None:
        self.connection, self.output = connection, output
        self._server, self._number = server, number

    def end(self) -> Ended:
        return self._server.end(self._number)
