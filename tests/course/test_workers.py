"""Pieces of work shared out over processes; a process that dies takes one piece with it."""

import os
import sys
import time

import pytest

from autograder.course.workers import Done, Finished, share_out

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")


class Squares:
    """Squares numbers; 3 kills the process, 5 raises."""

    def __init__(self):
        self.done = 0

    def work(self, number):
        if number == 3:
            os._exit(1)
        if number == 5:
            raise ValueError("not this one")
        time.sleep(0.01)
        self.done += 1
        return str(number * number).encode()

    def finish(self):
        return str(self.done).encode()


@pytest.mark.parametrize(("count", "jobs"), [(1, 4), (3, 1), (20, 3), (2, 2)])
def test_every_piece_is_done_once_and_a_dead_process_loses_its_own_alone(count, jobs):
    events = list(share_out(count, jobs, Squares))
    done = {event.number: event.answer for event in events if isinstance(event, Done)}
    lost = {number for number in (3, 5) if number < count}
    assert len([event for event in events if isinstance(event, Done)]) == count
    assert done == {number: None if number in lost else str(number**2).encode() for number in range(count)}
    finished = [int(event.answer) for event in events if isinstance(event, Finished)]
    assert sum(finished) <= count - len(lost)
    assert finished


def test_every_process_says_what_it_did():
    finished = [int(event.answer) for event in share_out(3, 2, Squares) if isinstance(event, Finished)]
    assert (len(finished), sum(finished)) == (2, 3)


def test_processes_in_the_middle_of_something_are_not_waited_for_one_after_the_other():
    class Sleepers(Squares):
        def work(self, number):
            time.sleep(60 * number)
            return b"0"

    events = share_out(5, 4, Sleepers)
    next(events)
    started = time.monotonic()
    events.close()
    assert time.monotonic() - started < 4


def test_no_process_stays_behind_when_the_caller_stops_early():
    class Pids(Squares):
        def work(self, number):
            time.sleep(0.05 * number)
            return str(os.getpid()).encode()

    events = share_out(8, 2, Pids)
    pids = {int(next(events).answer), int(next(events).answer)}
    events.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
