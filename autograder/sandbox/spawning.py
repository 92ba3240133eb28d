"""Children where there is no fork: each a process of its own, of which the next one is started ahead."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys

from autograder.sandbox.output import Output
from autograder.sandbox.processes import LOG_CHARACTERS, START_SECONDS, Ended, Process, SandboxError
from autograder.sandbox.starting import command, environment

_TOKEN_BYTES = 32


class Spawner:
    """A process of its own for each child, over a loopback connection; the next one is started ahead."""

    def __init__(self, python: str) -> None:
        self._python = python
        self._ahead: _Spawned | None = None

    def start(self) -> None:
        """Start the next child ahead."""
        self._ahead = self._ahead or _Spawned(self._python)

    def launch(self, output_bytes: int) -> Process:
        """The child that was started ahead."""
        self.start()
        process, self._ahead = self._ahead, None
        assert process is not None
        process.connect(output_bytes)
        self.start()
        return process

    def close(self) -> None:
        """End the child that nobody took."""
        if self._ahead is not None:
            self._ahead.end()
        self._ahead = None


class _Spawned:
    connection: socket.socket
    output: Output

    def __init__(self, python: str) -> None:
        self._token = secrets.token_bytes(_TOKEN_BYTES)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(START_SECONDS)
        self._process = subprocess.Popen(
            command(python, "autograder.sandbox.worker", [str(self._listener.getsockname()[1])]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment(),
            start_new_session=True,
        )
        assert self._process.stdin is not None
        self._process.stdin.write(self._token)
        self._process.stdin.flush()  # left open: that it closes tells the child that nobody waits for it any more

    def connect(self, output_bytes: int) -> None:
        """Wait for the child's connection; any other process that connects is turned away."""
        assert self._process.stdout is not None
        self.output = Output(os.dup(self._process.stdout.fileno()), output_bytes, threaded=True)
        self._process.stdout.close()
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError as error:
                self.end()
                raise SandboxError(f"the child did not start: {self.output.text[-LOG_CHARACTERS:]}") from error
            connection.settimeout(5.0)
            with contextlib.suppress(OSError):
                if secrets.compare_digest(connection.recv(_TOKEN_BYTES, socket.MSG_WAITALL), self._token):
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self.connection = connection
                    self._listener.close()
                    return
            connection.close()

    def end(self) -> Ended:
        assert self._process.stdout is not None
        assert self._process.stdin is not None
        self._process.stdout.close()
        self._process.stdin.close()
        self._listener.close()
        if sys.platform == "win32":
            self._process.kill()
            return Ended(self._process.wait())
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        unit = 1 if sys.platform == "darwin" else 1024
        return Ended(self._process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit)
