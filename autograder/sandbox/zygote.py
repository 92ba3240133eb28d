"""The fork server: imports torch once, then forks a child for each submission, and reaps it.

It runs nothing of a submission, keeps one thread and holds no secret: a child inherits all of its memory.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import socket
import sys
from pathlib import Path

import msgspec
import torch

from autograder.sandbox import jail
from autograder.sandbox.worker import run_child

MESSAGE_BYTES = 4096


def main() -> None:
    """Serve the control socket whose number is the first argument, until it closes.

    The second argument is the host's folder, removed at the end; the others are modules to import beforehand.
    """
    control = socket.socket(fileno=int(sys.argv[1]))
    torch.set_num_threads(1)
    for name in sys.argv[3:]:
        importlib.import_module(name)
    jail.look_up()
    jail.be_ended_first()
    jail.hide_memory()
    jail.adopt_orphans()
    gc.collect()
    gc.freeze()
    zygote = _Zygote(control)
    try:
        control.send(msgspec.msgpack.encode(["ready"]))
        while zygote.serve_one():
            pass
    finally:
        zygote.end_all()
        jail.remove_tree(Path(sys.argv[2]))
    os._exit(0)  # taking torch down in good order takes a fifth of a second, and the host waits


class _Zygote:
    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._children: dict[int, int] = {}  # the host's number -> process id

    def serve_one(self) -> bool:
        """Answer one message; False where the host has closed the connection."""
        data, files, _, _ = socket.recv_fds(self._control, MESSAGE_BYTES, 2)
        if not data:
            return False
        kind, number = msgspec.msgpack.decode(data)
        if kind == "fork":
            self._fork(number, *files)
        else:
            self._control.send(msgspec.msgpack.encode(self._end(number)))
        return True

    def _fork(self, number: int, connection: int, output: int) -> None:
        threads = len(list(Path("/proc/self/task").iterdir()))
        assert threads == 1, f"the fork server has {threads} threads: a fork could copy a locked lock"
        pid = os.fork()
        if pid == 0:
            run_child(socket.socket(fileno=connection), output)
        os.close(connection)
        os.close(output)
        self._children[number] = pid

    def _end(self, number: int) -> list[int | float]:
        """Kill and reap a child with all that it started: its wait status, CPU seconds and largest memory in bytes.

        Empty for one that a predecessor of this process had.
        """
        pid = self._children.pop(number, None)
        if pid is None:
            return []
        _kill(pid)
        _, status, usage = os.wait4(pid, 0)
        self._end_orphans()
        return [status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024]

    def _end_orphans(self) -> None:
        """Processes that left their child's session are this process's own once the child is dead."""
        while orphans := _child_ids() - set(self._children.values()):
            for pid in orphans:
                _kill(pid)
                os.waitpid(pid, 0)

    def end_all(self) -> None:
        for number in list(self._children):
            self._end(number)


def _kill(pid: int) -> None:
    for kill in (os.kill, os.killpg):  # the group does not exist before the child has made it
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _child_ids() -> set[int]:
    try:
        return {int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()}
    except OSError:  # a kernel built without this list
        return set()
