"""Every attack of the corpus, graded as one class beside ten honest submissions.

The first line of an attack says what must come of it: the report's status, the points, and the gravest status of the
tests of the function that attacks. The other functions of most attacks are right, and must be paid for; "at most" and
several statuses stand where the attack races with itself.
"""

import os
import re
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder.course.batch import Settings, grade_class
from autograder.course.submitted import HandIn
from autograder.messages import say
from autograder.sandbox.host import Host, Limits

HERE = Path(__file__).parent
ATTACKS = sorted((HERE / "attacks").glob("*.py"))
HONEST = sorted((HERE / "honest").glob("*.py"))
SAID = re.compile(
    r"# contained: (?P<status>[\w-]+), (?P<most>at most )?(?P<points>\d+) points(?:, scale (?P<scale>[\w|-]+))?$"
)
GRAVITY = ("tampered", "crashed", "out-of-memory", "timeout", "failed", "missing", "passed")
QUICK = Limits(call_seconds=1.0, load_seconds=2.0, total_seconds=10.0, memory_bytes=256 << 20, folder_files=100)


@dataclass
class Graded:
    """What grading the class left behind."""

    reports: dict
    written: dict
    seconds: float
    left_processes: set
    left_threads: int
    left_files: list
    victim: int | None


def said(attack):
    return SAID.match(attack.read_text(encoding="utf-8").splitlines()[0])


def children():
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split())


def hand_ins(assignment, paths):
    return [HandIn(path.stem, path, assignment.name) for path in paths]


def mixed(attacks, honest):
    """The honest ones spread among the others."""
    step = len(attacks) // len(honest)
    found = []
    for number, attack in enumerate(attacks):
        found += [honest[number // step]] if number % step == 0 and number // step < len(honest) else []
        found.append(attack)
    return found


@pytest.fixture(scope="module")
def graded(assignment, tmp_path_factory):
    """The class graded by two processes, while a program of the same user stands by to be harmed."""
    scratch, out = tmp_path_factory.mktemp("scratch"), tmp_path_factory.mktemp("out")
    before, threads = children(), threading.active_count()
    kept, tempfile.tempdir = tempfile.tempdir, str(scratch)
    try:
        with Host() as host, subprocess.Popen(["sleep", "600"]) as victim:
            if host.level != "full":  # they could do to this machine what they try
                victim.kill()
                pytest.skip("needs a full sandbox")
            started = time.monotonic()
            settings = Settings(jobs=2, out=out, limits=QUICK)
            done = grade_class(
                hand_ins(assignment, mixed(ATTACKS, HONEST)), {assignment.name: assignment}, host, settings
            )
            seconds = time.monotonic() - started
            alive = victim.poll()
            victim.kill()
    finally:
        tempfile.tempdir = kept
    written = {path.parent.name: path for path in out.rglob("*.json")}
    reports = {report.student: report for report in done.reports}
    left = children() - before
    return Graded(reports, written, seconds, left, threading.active_count() - threads, list(scratch.iterdir()), alive)


def scale_status(report):
    statuses = {test.status for test in report.tests if test.function == "scale"}
    return min(statuses, key=GRAVITY.index) if statuses else None


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda path: path.stem)
def test_an_attack_ends_as_it_says(graded, attack):
    report, expected = graded.reports[attack.stem], said(attack)
    assert report.status == expected["status"], report
    assert report.score <= float(expected["points"])
    assert expected["most"] or report.score == float(expected["points"]), report
    assert str(scale_status(report)) in str(expected["scale"]).split("|"), report.tests


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda path: path.stem)
def test_each_gets_a_report_with_a_sentence_for_all_that_failed(graded, attack):
    report = graded.reports[attack.stem]
    messages = [test.message for test in report.tests if test.status not in ("passed", "missing", "skipped")]
    assert None not in messages
    for message in [*messages, *([report.problem] if report.problem else [])]:
        for language in ("en", "ja"):
            sentence = say(message.id, language, **message.with_)
            assert sentence.replace("\n", "").isprintable()
    assert report.sandbox["level"] == "full"


@pytest.fixture(scope="module")
def alone(assignment):
    """The honest ones without the others."""
    with Host() as host:
        done = grade_class(hand_ins(assignment, HONEST), {assignment.name: assignment}, host, Settings())
    return {report.student: report for report in done.reports}


@pytest.mark.parametrize("answer", HONEST, ids=lambda path: path.stem)
def test_an_honest_grade_is_what_it_is_without_them(graded, alone, answer):
    beside, by_itself = graded.reports[answer.stem], alone[answer.stem]
    assert (beside.status, beside.score, beside.tests) == (by_itself.status, by_itself.score, by_itself.tests)


def test_everybody_has_a_report_and_a_file(graded):
    assert len(graded.reports) == len(graded.written) == len(ATTACKS) + len(HONEST)
    assert not [report for report in graded.reports.values() if report.status == "error"]


def test_nothing_is_left_behind(graded):
    assert graded.left_processes == set()
    assert graded.left_threads == 0
    assert graded.left_files == []
    marks = ("/tmp", "/var/tmp", "/dev/shm", str(Path.home()), ".", str(HERE), str(HERE / "attacks"))
    assert not [mark for place in marks for mark in Path(place).glob("attn-escaped*")]
    assert graded.victim is None


def test_it_takes_seconds_each_and_not_minutes(graded):
    assert graded.seconds < 2 * len(ATTACKS)


def test_there_are_enough_of_them():
    assert len(ATTACKS) >= 90
    assert len(HONEST) == 10
    assert all(said(attack) for attack in ATTACKS)
