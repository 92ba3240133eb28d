"""A few processes that share out numbered pieces of work and nothing else.

Forked, so that what the parent has prepared costs nothing again. A process takes one piece at a time; one that dies
(killed for memory, say) loses only the piece it held, and another process takes its place.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import Protocol

_LAST_SECONDS = 2.0  # for all together: what a process needs to clear up


def can_share_out(device: str) -> bool:
    """Whether several processes can grade: a GPU must not be in use before a fork, nor macOS's libraries."""
    return sys.platform == "linux" and device == "cpu"


class Worker(Protocol):
    """What runs in a process of its own."""

    def work(self, number: int) -> bytes:
        """Does one piece of work."""

    def finish(self) -> bytes:
        """Clears up; called once, at the end. What it returns is handed to the parent."""


@dataclass(frozen=True, slots=True)
class Done:
    """One piece of work: what it gave, or None where its process died."""

    number: int
    answer: bytes | None


@dataclass(frozen=True, slots=True)
class Finished:
    """A process ended in good order."""

    answer: bytes


@dataclass
class _Seat:
    process: ForkProcess
    pipe: Connection
    number: int | None = None  # the piece in hand


def share_out(count: int, jobs: int, make: Callable[[], Worker]) -> Iterator[Done | Finished]:
    """Does the pieces 0 .. count - 1 in `jobs` processes, each with its own `make()`; yields as they get done."""
    waiting = list(range(count - 1, -1, -1))
    every: list[_Seat] = []
    try:
        seats = [_seat(make, every) for _ in range(min(jobs, count))]
        for seat in seats:
            _give(seat, waiting)
        while seats:
            ready = wait([seat.pipe for seat in seats])
            for seat in [seat for seat in seats if seat.pipe in ready]:
                yield from _hear(seat, seats, waiting, lambda: _seat(make, every))
    finally:
        _end(every)


def _hear(seat: _Seat, seats: list[_Seat], waiting: list[int], renew: Callable[[], _Seat]) -> Iterator[Done | Finished]:
    """Takes a process's answer and gives it more to do."""
    held = seat.number
    try:
        answer = seat.pipe.recv_bytes()
    except (EOFError, OSError):
        seats.remove(seat)
        if waiting:
            seats.append(renew())
            _give(seats[-1], waiting)
        if held is not None:
            yield Done(held, None)
        return
    if held is None:
        seats.remove(seat)
        yield Finished(answer)
    else:
        _give(seat, waiting)
        yield Done(held, answer)


def _give(seat: _Seat, waiting: list[int]) -> None:
    """Hands out the next piece, or the word to finish. A dead process is noticed when it is heard."""
    seat.number = waiting.pop() if waiting else None
    try:
        seat.pipe.send_bytes(b"" if seat.number is None else str(seat.number).encode())
    except OSError:
        return


def _seat(make: Callable[[], Worker], every: list[_Seat]) -> _Seat:
    ours, theirs = multiprocessing.Pipe()
    # multiprocessing starts ForkProcess by os.fork, whatever the platform's default has become.
    process = multiprocessing.get_context("fork").Process(target=_serve, args=(make, theirs, ours))
    process.start()
    theirs.close()
    every.append(_Seat(process, ours))
    return every[-1]


def _end(seats: Sequence[_Seat]) -> None:
    """Closing the pipes tells all processes to stop; those in the middle of something are not waited for."""
    for seat in seats:
        seat.pipe.close()
    deadline = time.monotonic() + _LAST_SECONDS
    for seat in seats:
        seat.process.join(max(0.0, deadline - time.monotonic()))
        if seat.process.is_alive():
            seat.process.kill()
            seat.process.join()


def _serve(make: Callable[[], Worker], pipe: Connection, parents_end: Connection) -> None:
    """A worker's whole life. Whatever it raises ends it, and the parent sees that piece undone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which closes the pipe
    parents_end.close()
    worker = make()
    try:
        while asked := pipe.recv_bytes():
            pipe.send_bytes(worker.work(int(asked)))
        pipe.send_bytes(worker.finish())
    except EOFError:
        worker.finish()
    except Exception:  # noqa: BLE001 - the parent writes the report; a traceback helps nobody
        os._exit(1)
