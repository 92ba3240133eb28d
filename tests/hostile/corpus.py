"""The corpus of attacks: what each must come to, and the class in which all of them are graded beside honest work.

The first line of an attack says what must come of it, at each level of the sandbox at which it may be tried: the
report's status, the points, and the gravest status of the tests of the function that attacks. The other functions of
most attacks are right, and must be paid for; "at most" and several statuses stand where the attack races with itself.

    # every level: graded, 12 points, scale timeout
    # full: graded, 12 points, scale failed; contained: graded, 20 points, scale passed

The name of an attack says of what kind it is, and in what disguise it comes: read_in_a_thread.py. What succeeds is
seen: the function then gives the right answer, and points are gained; or a mark lies outside (see `traces`).
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import torch

from autograder.course.batch import Settings, grade_class
from autograder.course.submitted import HandIn
from autograder.model import Assignment, Report
from autograder.sandbox.host import LEVELS, Host, Limits
from autograder.sandbox.jail import adopt_orphans
from autograder.sandbox.jail.linux import SET_CHILD_SUBREAPER, prctl

HERE = Path(__file__).parent
ATTACKS = sorted((HERE / "attacks").glob("*.py"))
HONEST = sorted((HERE / "honest").glob("*.py"))
GRAVITY = ("error", "tampered", "crashed", "out-of-memory", "timeout", "failed", "missing", "passed")
QUICK = Limits(call_seconds=1.0, load_seconds=2.0, total_seconds=10.0, memory_bytes=256 << 20, folder_files=100)
# Twelve ways never to end.
LOOPS = [
    HERE / "attacks" / f"{name}.py"
    for name in (
        *("loop", "loop_while_loading", "loop_in_c", "loop_in_a_regex", "loop_that_swallows", "loop_without_signals"),
        *("loop_in_a_thread", "loop_sleep", "loop_deadlock", "loop_in_del", "loop_in_getattr", "loop_in_an_error"),
    )
]
JOBS = 4  # many only wait
LISTENING = 47391  # where attacks send what they have seen
# What is left out to grade as on a machine without it.
WITHOUT: Mapping[str, tuple[str, ...]] = dict(zip(LEVELS, ((), ("landlock",), ("landlock", "seccomp")), strict=True))

_ENDING = r"(?P<status>[\w-]+), (?P<most>at most )?(?P<points>\d+) points(?:, scale (?P<scale>[\w|-]+))?"
_CLAUSE = re.compile(rf"(?P<levels>[\w, -]+): {_ENDING}")


@dataclass(frozen=True)
class Ending:
    """What must come of an attack at one level."""

    status: str
    points: float
    at_most: bool
    scale: tuple[str, ...]

    def allows(self, report: Report) -> bool:
        """Whether a report is what was said."""
        points = report.score <= self.points if self.at_most else report.score == self.points
        return report.status == self.status and points and str(scale_status(report)) in self.scale


def said(attack: Path) -> dict[str, Ending]:
    """What its first line says, by level. Raises ValueError where it says nothing that can be read."""
    first = attack.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
    found: dict[str, Ending] = {}
    for text in first.split("; "):
        clause = _CLAUSE.fullmatch(text)
        if clause is None:
            raise ValueError(f"{attack.name}: {text}")
        levels = LEVELS if clause["levels"] == "every level" else clause["levels"].split(", ")
        statuses = tuple(str(clause["scale"]).split("|"))
        ending = Ending(clause["status"], float(clause["points"]), bool(clause["most"]), statuses)
        found |= dict.fromkeys(levels, ending)
    return found


def kind(attack: Path) -> str:
    """Of what kind it is."""
    return attack.stem.partition("_")[0]


def scale_status(report: Report) -> str | None:
    """The gravest status of the function that attacks."""
    statuses = {test.status for test in report.tests if test.function == "scale"}
    return min(statuses, key=GRAVITY.index) if statuses else None


def attacks_at(level: str) -> list[Path]:
    """Those that may be tried there."""
    return [attack for attack in ATTACKS if level in said(attack)]


@dataclass(frozen=True)
class Class:
    """A class with attackers in it, graded, and all that it left behind."""

    level: str
    reports: Mapping[str, Report]
    written: int  # files of reports
    seconds: float
    left: Sequence[str]  # marks outside, processes, threads, files, and what reached the listener


def hand_ins(assignment: Assignment, paths: Sequence[Path]) -> list[HandIn]:
    """Files handed in, each by a student of that name."""
    return [HandIn(path.stem, path, assignment.name) for path in paths]


def mixed(attacks: Sequence[Path], honest: Sequence[Path]) -> list[Path]:
    """The honest ones spread among the others."""
    step = -(-len(attacks) // len(honest))
    parts = [attacks[place : place + step] for place in range(0, len(attacks), step)]
    return [path for one, part in zip(honest, [*parts, *[[]] * len(honest)], strict=False) for path in (one, *part)]


def grade_attacks(
    level: str, assignment: Assignment, scratch: Path, attacks: Sequence[Path] | None = None, limits: Limits = QUICK
) -> Class | None:
    """The attacks of a level and the honest ones as one class; None where this machine does not reach the level.

    `scratch`: an empty folder. Below "full", walls are left out: nothing is run that could then do harm.
    """
    attacks = attacks_at(level) if attacks is None else attacks
    with temporary_folder(scratch / "t"), Host(without=WITHOUT[level]) as host:
        if host.level != level:
            return None
        with traces(scratch / "t") as left:
            started = time.monotonic()
            handed_in = hand_ins(assignment, mixed(attacks, HONEST))
            settings = Settings(jobs=JOBS, out=scratch / "out", limits=limits)
            done = grade_class(handed_in, {assignment.name: assignment}, host, settings)
            seconds = time.monotonic() - started
            host.close()
    written = len([*(scratch / "out").rglob("*.json")])
    return Class(level, {report.student: report for report in done.reports}, written, seconds, left)


def grade_honest(assignment: Assignment) -> Mapping[str, Report]:
    """The honest ones without the others, at whatever level there is."""
    with Host() as host:
        done = grade_class(hand_ins(assignment, HONEST), {assignment.name: assignment}, host, Settings())
    return {report.student: report for report in done.reports}


def touched(beside: Mapping[str, Report], alone: Mapping[str, Report]) -> list[str]:
    """Honest ones whose grade is another one among attackers."""
    found = [(beside[name], report) for name, report in alone.items()]
    return [a.student for a, b in found if (a.status, a.score, a.tests) != (b.status, b.score, b.tests)]


@contextmanager
def temporary_folder(folder: Path) -> Iterator[None]:
    """Where whatever is graded meanwhile puts its temporary files."""
    folder.mkdir()
    kept, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = kept


@contextmanager
def traces(scratch: Path) -> Iterator[list[str]]:
    """Finds what an attack has done outside: it stands in the list afterwards.

    A program of the same user stands by to be harmed, somebody listens, and orphans come to this process.
    """
    left: list[str] = []
    before, threads = _children(), threading.active_count()
    with ExitStack() as stack:
        listeners = [stack.enter_context(_listener(how)) for how in (socket.SOCK_STREAM, socket.SOCK_DGRAM)]
        victim = stack.enter_context(subprocess.Popen(["sleep", "600"]))
        stack.callback(victim.kill)
        adopt_orphans()
        stack.callback(prctl, SET_CHILD_SUBREAPER, 0)
        yield left
        left += ["the victim is dead"] if victim.poll() is not None else []
        left += [f"process {pid}" for pid in _children() - before - {str(victim.pid)}]
        left += [f"reached: {listener.type}" for listener in listeners if _reached(listener)]
    left += ["threads"] if threading.active_count() != threads else []
    left += [str(path) for path in (*scratch.iterdir(), *_marks())]


def _children() -> set[str]:
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split())


def _listener(how: socket.SocketKind) -> socket.socket:
    listener = socket.socket(socket.AF_INET, how)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)  # where the corpus is graded twice at a time
    listener.bind(("127.0.0.1", LISTENING))
    if how is socket.SOCK_STREAM:
        listener.listen()
    listener.setblocking(False)
    return listener


def _reached(listener: socket.socket) -> bool:
    try:
        if listener.type is socket.SOCK_STREAM:
            listener.accept()[0].close()
        else:
            listener.recv(1 << 16)
    except BlockingIOError:
        return False
    return True


def _marks() -> list[Path]:
    own = (".", HERE, HERE / "attacks", Path.home(), Path(torch.__file__).parent)
    places = ("/tmp", "/var/tmp", "/dev/shm", *own)
    return [mark for place in places for mark in Path(place).glob("attn-escaped*")]
