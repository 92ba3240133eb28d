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
        "does not finish in time",
    ),
    "processor time": ({"cpu_seconds": 1}, "while True: pass", Status.TIMEOUT, "does not finish in time"),
    "memory": ({}, "bytearray(1 << 30)", Status.OUT_OF_MEMORY, "asks for more memory than a submission may use"),
    "processes": (
        {},
        "import os; os.fork()",
        Status.RAISED,
        "raises PermissionError: [Errno 1] Operation not permitted",
    ),
    "threads": (
        {},
        THREADS,
        Status.RAISED,
        "raises RuntimeError: can't start new thread",
    ),
    "open files": ({}, "return [open('/dev/null') for _ in range(99)]", Status.RAISED, "raises OSError: [Errno 24]"),
    "the size of a file": ({}, "open('x', 'wb').write(bytes(99 << 20))", Status.RAISED, "raises OSError: [Errno 27]"),
    "the number of files": (
        {},
        "import time\n    for i in range(2000): open(str(i), 'w').close()\n    time.sleep(60)",
        Status.CRASHED,
        "ends the Python process\nended with too many files",
    ),
    "the size of all files": (
        {"folder_bytes": 20 << 20},
        "import time\n    for i in range(9): open(str(i), 'wb').write(bytes(9 << 20))\n    time.sleep(60)",
        Status.CRASHED,
        "ends the Python process\nended with too many files",
    ),
    "the size of an answer": (
        {},
        "import torch; return torch.zeros(9 << 20, dtype=torch.uint8)",
        Status.OUT_OF_MEMORY,
        "asks for more memory than a submission may use",
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
