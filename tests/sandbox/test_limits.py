"""Each limit has its status and its sentence, and what is asked afterwards is answered by a fresh child."""

import pytest

from autograder.calls import Action, Status, Step
from autograder.compare import ending
from autograder.messages import say
from autograder.model import Cell
from autograder.sandbox.host import Limits
from autograder.targets.sandboxed import Sandboxed

SMALL = {"call_seconds": 20.0, "memory_bytes": 256 << 20}
THREADS = """import threading, time
    threading.stack_size(1 << 16)
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()"""
LIMITS = {  # what is used up -> limits, code, status, sentence
    "time by the clock": (
        {"call_seconds": 0.3},
        "import time; time.sleep(60)",
        Status.TIMEOUT,
        "does not finish in time\nlimit    0.3 s",
    ),
    "processor time of a call": (
        {"call_cpu_seconds": 0.3},
        "while True: pass",
        Status.TIMEOUT,
        "uses too much processor time\nlimit    0.3 s",
    ),
    "memory": ({}, "bytearray(1 << 30)", Status.OUT_OF_MEMORY, "asks for more memory than a submission may use"),
    "processes": (
        {},
        "import os; os.fork()",
        Status.RAISED,
        "asks the system for what a submission may not do\nPermissionError: [Errno 1] Operation not permitted\n",
    ),
    "threads": (
        {},
        THREADS,
        Status.RAISED,
        "starts more threads than a submission may\nRuntimeError: can't start new thread\n",
    ),
    "open files": (
        {},
        "return [open('/dev/null') for _ in range(99)]",
        Status.RAISED,
        "keeps more files open than a submission may\nOSError: [Errno 24]",
    ),
    "the size of a file": (
        {},
        "open('x', 'wb').write(bytes(99 << 20))",
        Status.RAISED,
        "writes a larger file than a submission may\nOSError: [Errno 27]",
    ),
    "the file system": (
        {},
        "open('/etc/passwd')",
        Status.RAISED,
        "asks the system for what a submission may not do\nPermissionError: [Errno 13]",
    ),
    "the number of files": (
        {},
        "import time\n    for i in range(2000): open(str(i), 'w').close()\n    time.sleep(60)",
        Status.CRASHED,
        "writes too many files\nlimit    1000",
    ),
    "the size of all files": (
        {"folder_bytes": 20 << 20},
        "import time\n    for i in range(9): open(str(i), 'wb').write(bytes(9 << 20))\n    time.sleep(60)",
        Status.CRASHED,
        "writes too much into files\nlimit    20 MiB",
    ),
    "the size of an answer": (
        {},
        "import torch; return torch.zeros(9 << 20, dtype=torch.uint8)",
        Status.OUT_OF_MEMORY,
        "returns more than fits into one answer",
    ),
}


@pytest.mark.parametrize("what", LIMITS)
def test_a_limit_has_its_status_and_its_sentence_and_ends_nothing_else(host, what):
    limits, body, status, sentence = LIMITS[what]
    cells = [Cell(label="a", source=f"def f():\n    {body}\ndef fine():\n    return 42\n")]
    target = Sandboxed(host, cells, limits=Limits(**(SMALL | limits)))
    target.begin({})
    outcome = target.perform(Step(Action.CALL, "f"))
    message = ending(outcome)
    assert (outcome.status, say(message.id, "en", **message.with_)[: len(sentence)]) == (status, sentence)
    assert say(message.id, "ja", **message.with_)
    target.begin({})
    assert target.perform(Step(Action.CALL, "fine")).value == 42
    target.close()


def test_what_is_printed_is_cut_and_costs_nothing(host):
    cells = [Cell(label="a", source="def f():\n    print('x' * 10**6)\n    return 42\n")]
    target = Sandboxed(host, cells, limits=Limits(output_bytes=1000))
    target.begin({})
    assert target.perform(Step(Action.CALL, "f")).value == 42
    target.close()
    assert len(target.output) <= 1000


BRISK = {"call_seconds": 20.0, "test_seconds": 20.0, "total_seconds": 20.0}
WORKING = "import time\n    end = time.process_time() + 0.2\n    while time.process_time() < end: pass"
TOGETHER = {  # what several calls use up together -> limits, code, sentence, how many calls of a test it takes
    "time of a test": ({"test_seconds": 0.5}, "import time; time.sleep(0.2)", "test take too long together", 3),
    "processor time of a test": ({"test_cpu_seconds": 0.5}, WORKING, "test use too much processor time together", 4),
}


def asked(target, name="f"):
    """What a call gives: its status, and the sentence for one that did not return."""
    outcome = target.perform(Step(Action.CALL, name))
    if outcome.status is Status.RETURNED:
        return "returned", ""
    message = ending(outcome)
    return str(outcome.status), say(message.id, "en", **message.with_)


def target_of(host, body, **limits):
    cells = [Cell(label="a", source=f"def f():\n    {body}\ndef fine():\n    return 42\n")]
    return Sandboxed(host, cells, limits=Limits(**(BRISK | limits)))


@pytest.mark.parametrize("what", TOGETHER)
def test_calls_that_each_keep_the_limit_may_exceed_that_of_their_test(host, what):
    limits, body, sentence, calls = TOGETHER[what]
    target = target_of(host, body, **limits)
    for _ in range(2):
        target.begin({})
        given = [asked(target) for _ in range(calls + 1)]
        assert given[0] == ("returned", "")  # a test begins with all of its time
        status, said = next(one for one in given if one[0] != "returned")
        assert (status, said.splitlines()) == ("timeout", [f"the calls of this {sentence}", "limit    0.5 s"])
        target.begin({})
        assert asked(target, "fine") == ("returned", "")  # and the next one has a fresh child
    target.begin({})
    assert asked(target) == ("timeout", "did not finish in 2 earlier calls and is not called again")
    target.close()


def test_the_time_of_all_tests_together_has_an_end(host):
    target = target_of(host, "import time; time.sleep(0.2)", total_seconds=0.5)
    given = []
    for _ in range(5):
        target.begin({})
        given.append(asked(target))
    assert given[0] == ("returned", "")
    assert given[-1] == ("timeout", "the calls of all tests take too long together\nlimit    0.5 s")
    target.close()


@pytest.mark.parametrize("defence", ["", "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\n    "])
def test_the_processor_time_of_all_children_together_has_an_end(host, defence):
    target = target_of(host, f"{defence}while True: pass", cpu_seconds=1, call_cpu_seconds=60.0)
    target.begin({})
    said = ("timeout", "all that ran until now used too much processor time\nlimit    1 s")
    assert asked(target) == said
    target.begin({})
    assert asked(target, "fine") == said
    assert target.cpu_seconds < 5
    target.close()


def test_all_that_is_returned_together_has_an_end(host):
    target = target_of(host, "import torch; return torch.zeros(1 << 18)", answer_bytes=1 << 21)
    given = []
    for _ in range(4):
        target.begin({})
        given.append(asked(target))
    assert given[0] == ("returned", "")
    assert given[-1] == ("out-of-memory", "the calls of all tests return too much together\nlimit    2 MiB")
    target.close()
