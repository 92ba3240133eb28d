"""What a call, and all calls of a test together, may use up: seconds of waiting, and of processor time."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from autograder.calls import TOO_LARGE, Exceeded, Limit, Raised, Status

# How exceptions begin that a limit causes: class, text, limit. Whoever makes one up chooses a sentence, and no more.
_SIGNS = (
    (TOO_LARGE, "", Limit.ANSWER),
    ("RuntimeError", "can't start new thread", Limit.THREADS),
    ("OSError", "[Errno 24] ", Limit.OPEN_FILES),
    ("OSError", "[Errno 27] ", Limit.FILE_SIZE),
    ("PermissionError", "[Errno 1] ", Limit.REFUSED),
    ("PermissionError", "[Errno 13] ", Limit.REFUSED),
)
_USER, _SYSTEM = 11, 12  # fields of /proc/PID/stat behind the name, in ticks of the kernel's clock


class Exhausted(Exception):
    """A limit is exceeded while a child is waited for."""

    def __init__(self, status: Status, exceeded: Exceeded) -> None:
        super().__init__(exceeded.limit)
        self.status, self.exceeded = status, exceeded


@dataclass
class Allowance:
    """Seconds by the clock and of processor time, with the limits that they are.

    Processor time is counted from the first look on, a tenth of a second after the beginning at most.
    """

    limit: Limit
    seconds: float
    cpu_limit: Limit
    cpu_seconds: float
    waited: float = 0.0
    _cpu_before: float | None = None

    @property
    def left(self) -> float:
        """Seconds by the clock that are left."""
        return self.seconds - self.waited

    @property
    def overdue(self) -> Exceeded:
        """What is said where no time by the clock is left."""
        return Exceeded(self.limit, self.seconds)

    def look(self, cpu: float) -> None:
        """Raise Exhausted where a process that has used `cpu` seconds so far has used more than it may."""
        if self._cpu_before is None:
            self._cpu_before = cpu
        if cpu - self._cpu_before > self.cpu_seconds:
            raise Exhausted(Status.TIMEOUT, Exceeded(self.cpu_limit, self.cpu_seconds))


def exceeded_by(raised: Raised | None) -> Exceeded | None:
    """The limit that an exception tells of."""
    if raised is None:
        return None
    found = (limit for name, text, limit in _SIGNS if raised.type_name == name and raised.message.startswith(text))
    limit = next(found, None)
    return None if limit is None else Exceeded(limit)


def cpu_seconds_of(pid: int) -> float | None:
    """Processor time of a living process with all its threads; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:  # not Linux, or ended just now
        return None
    return (int(fields[_USER]) + int(fields[_SYSTEM])) / os.sysconf("SC_CLK_TCK")
