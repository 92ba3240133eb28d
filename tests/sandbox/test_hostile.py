"""Submissions that resist: each is contained, told truly, and the next child is not affected."""

import functools
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from autograder.calls import Action, Callback, Exceeded, Limit, Opaque, Status, Step
from autograder.model import Cell
from autograder.sandbox.host import Limits
from autograder.targets.sandboxed import Sandboxed

QUICK = Limits(call_seconds=0.5, load_seconds=1.0, memory_bytes=256 << 20)
FINE = "def fine():\n    return 41 + 1\n"


@pytest.fixture
def targets():
    made = []
    yield made
    for target in made:
        target.close()


@pytest.fixture
def run(host, targets):
    """Load cells and call `f`; afterwards a new program calls `fine`, which must work."""
    return functools.partial(run_on, host, targets)


@pytest.fixture
def run_weakly(weak_host, targets):
    """As `run`, without the walls that keep a submission from files and processes."""
    return functools.partial(run_on, weak_host, targets)


def run_on(host, targets, *sources, args=()):
    cells = [Cell(label=f"cell {index}", source=source) for index, source in enumerate((FINE, *sources))]
    target = Sandboxed(host, cells, limits=QUICK)
    targets.append(target)
    target.begin({})
    outcome = target.perform(Step(Action.CALL, "f", args))
    target.begin({})
    assert target.perform(Step(Action.CALL, "fine")).value == 42
    return outcome, target


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "while True:\n        try:\n            while True: pass\n        except BaseException: pass",
        "sum(range(10**12))",
        "import signal\n    for s in {2, 10, 12, 14, 15, 24}: signal.signal(s, signal.SIG_IGN)\n    while True: pass",
        "import os, signal\n    os.kill(os.getpid(), signal.SIGSTOP)",
        "import time\n    time.sleep(60)",
    ],
    ids=["loop", "swallows", "in C", "ignores signals", "stops itself", "sleeps"],
)
def test_a_call_without_end_is_ended(run, body):
    started = time.monotonic()
    outcome, _ = run(f"def f():\n    {body}\n")
    assert outcome.status is Status.TIMEOUT
    assert time.monotonic() - started < 4


@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        ("import os\n    os._exit(0)", "Exit", "0"),
        ("import os\n    os._exit(3)", "Exit", "3"),
        ("import ctypes\n    ctypes.string_at(0)", "Signal", "SIGSEGV"),
        ("import os\n    os.abort()", "Signal", "SIGABRT"),
    ],
)
def test_how_a_process_ended_is_told(run, body, kind, message):
    outcome, _ = run(f"def f():\n    {body}\n")
    assert outcome.status is Status.CRASHED
    assert (outcome.raised.type_name, outcome.raised.message) == (kind, message)


def test_closing_all_descriptors_is_a_crash(run):
    outcome, _ = run("import os, time\ndef f():\n    os.closerange(0, 1000)\n    time.sleep(9)\n")
    assert outcome.status is Status.CRASHED


def test_steps_after_the_end_give_the_end(host):
    target = Sandboxed(host, [Cell(label="a", source=FINE + "import os\ndef f():\n    os._exit(1)\n")], limits=QUICK)
    target.begin({})
    target.perform(Step(Action.CALL, "f"))
    assert target.perform(Step(Action.CALL, "fine")).status is Status.CRASHED
    target.close()


@pytest.mark.parametrize(
    "cell", ["import sys\nsys.exit(1)", "raise KeyboardInterrupt", "def broken(:\n", "1/0", "input()", "x = '\0'"]
)
def test_a_failing_cell_does_not_stop_the_next(run, cell):
    outcome, target = run(cell, "def f():\n    return 7\n")
    assert outcome.value == 7
    assert [load.status for load in target.load_outcomes] == [Status.RETURNED, Status.RAISED, Status.RETURNED]


def test_a_syntax_error_names_its_line(host):
    target = Sandboxed(host, [Cell(label="cell 4", source="x = 1\ndef broken(:\n", first_line=10)], limits=QUICK)
    (outcome,) = target.load_outcomes
    assert [(frame.file, frame.line, frame.text) for frame in outcome.raised.frames] == [("cell 4", 11, "def broken(:")]
    target.close()


@pytest.mark.parametrize(
    ("cell", "status"), [("import os\nos._exit(0)", Status.CRASHED), ("while True: pass", Status.TIMEOUT)]
)
def test_a_cell_that_ends_the_process_is_left_out(run, cell, status):
    outcome, target = run(cell, "def f():\n    return 7\n")
    assert outcome.value == 7
    assert [load.status for load in target.load_outcomes] == [Status.RETURNED, status, Status.RETURNED]


def test_loading_is_given_up_after_some_deadly_cells(host):
    cells = [Cell(label=str(index), source="import os\nos._exit(0)") for index in range(9)]
    target = Sandboxed(host, cells, limits=QUICK)
    target.begin({})
    assert {outcome.status for outcome in target.load_outcomes} == {Status.CRASHED}
    assert target.perform(Step(Action.CALL, "f")).status is Status.CRASHED
    target.close()


def test_a_function_that_never_ends_is_not_waited_for_each_time(host):
    target = Sandboxed(host, [Cell(label="a", source="def f():\n    while True: pass\n")], limits=QUICK)
    started = time.monotonic()
    for _ in range(20):
        target.begin({})
        assert target.perform(Step(Action.CALL, "f")).status is Status.TIMEOUT
    assert time.monotonic() - started < 4
    target.close()


def test_a_flood_of_text_is_cut_and_blocks_nothing(run):
    outcome, target = run("def f():\n    for _ in range(20):\n        print('x' * 10**6)\n    return 7\n")
    assert outcome.value == 7
    assert len(target.output) == QUICK.output_bytes


def test_printed_text_is_kept_even_where_it_is_no_utf8(run):
    source = "import os\ndef f():\n    print('größe \\ud800')\n    os.write(1, b'\\xff')\n    print('end')\n"
    target = run(source)[1]
    assert "größe \\ud800\n" in target.output
    assert "\N{REPLACEMENT CHARACTER}" in target.output


@pytest.mark.parametrize(
    "junk",
    [
        "b'garbage garbage garbage garbage'",
        "struct.pack('<IQ', 4, 2**60)",
        "struct.pack('<IQ', 2**31, 0)",
        "struct.pack('<IQ', 100_000, 0) + b'\\x91' * 100_000",
        "struct.pack('<IQ', 1, 0) + b'\\xc0'",
        "struct.pack('<IQ', 2, 0) + b'\\x91\\xa8'",
        "frame(['outcome', ['timeout', None, [], None, None, ['D', []], None, [], []]])",
        "frame(['outcome', ['returned', 3, [['cpu', False, []]], None, None, ['D', []], None, [], []]])",
        "frame(['callback', 'clock', ['P', []]])",
    ],
)
def test_a_forged_message_is_told(run, junk):
    source = f"""
import gc, socket, struct, msgspec
def frame(tree):
    header = msgspec.msgpack.encode(tree)
    return struct.pack('<IQ', len(header), 0) + header
def f():
    for thing in gc.get_objects():
        if isinstance(thing, socket.socket):
            thing.sendall({junk})
"""
    outcome, _ = run(source + "gc.unfreeze()\n")
    assert outcome.status is Status.TAMPERED


def test_unbounded_recursion_ends(run):
    outcome, _ = run("import sys\ndef f():\n    sys.setrecursionlimit(10**9)\n    return [*map(f, [])] + f()\n")
    assert outcome.status is not Status.RETURNED


@pytest.mark.parametrize(
    "expression",
    [
        "torch.empty(10**9).sum()",
        "torch.zeros(1).expand(10**10)",
        "bytearray(10**9)",
        "numpy.ones(10**9)",
        "torch.ones(60_000, 1) @ torch.ones(1, 60_000)",
    ],
)
def test_more_memory_than_allowed_is_told(run, expression):
    outcome, _ = run(f"import torch, numpy\ndef f():\n    return {expression}\n")
    assert outcome.status is Status.OUT_OF_MEMORY


def test_a_result_too_large_to_send_is_told(host):
    source = "import torch\ndef f():\n    return torch.zeros(300 << 20, dtype=torch.uint8)\n"
    with host.child(Limits(memory_bytes=2 << 30)) as child:
        child.load([("a", source, 1)])
        assert child.perform(Step(Action.CALL, "f"), {}).status is Status.OUT_OF_MEMORY


def test_hostile_results_are_harmless(run):
    source = """
class Meta(type):
    def __getattribute__(cls, name):
        raise SystemExit
class Thing(metaclass=Meta):
    def __getattribute__(self, name):
        raise SystemExit
    def __repr__(self):
        raise SystemExit
class Items(list):
    def __iter__(self):
        raise SystemExit
    def __len__(self):
        return 10**12
def f():
    return [Thing(), Items([1, 2])]
"""
    outcome, _ = run(source)
    assert outcome.value == [Opaque("Thing"), [1, 2]]


def test_processes_left_behind_end_with_the_child(run_weakly, tmp_path):
    note = tmp_path / "pids"
    source = f"""
import os, time
def f():
    for leaves in (False, True):
        if os.fork() == 0:
            if leaves:
                os.setsid()
                if os.fork():
                    os._exit(0)
            with open({str(note)!r}, "a") as file:
                file.write(f"{{os.getpid()}} ")
            time.sleep(60)
    time.sleep(0.3)
    os._exit(0)
"""
    # The children hold the connection open, so that the host does not see the end before the deadline.
    outcome, _ = run_weakly(source)
    assert outcome.status is Status.TIMEOUT
    pids = note.read_text(encoding="ascii").split()
    assert len(pids) == 2
    assert not [pid for pid in pids if Path("/proc", pid).exists()]


def test_files_of_the_child_lie_in_its_own_folder_and_go_with_it(run):
    source = """
import os, tempfile
def f():
    open("here", "w").write("x")
    os.makedirs("deep/er")
    os.mkdir("shut", 0)
    return os.getcwd(), tempfile.gettempdir(), os.path.expanduser("~")
"""
    outcome, target = run(source)
    assert len(set(outcome.value)) == 1
    assert Path(outcome.value[0], "here").exists()
    target.close()
    assert not Path(outcome.value[0]).exists()


def test_notebook_habits_cost_nothing(run):
    source = """
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import seaborn as sns, plotly.express as px
from matplotlib.ticker import MaxNLocator
from IPython.display import HTML, display as show
get_ipython().run_line_magic("matplotlib", "inline")
fig, axes = plt.subplots(2, 3, figsize=(3, 3))
for ax in axes.flat:
    ax.set_title("x")
fig, (left, right) = plt.subplots(1, 2)
fig, ax = plt.subplots()
line, = ax.plot([1, 2])
counts, bins, patches = plt.hist([1])
with plt.style.context("dark"):
    plt.imshow([[1]])
plt.show(); display(fig); show(HTML("x")); px.line().show(); sns.heatmap([[1]], ax=ax)
def f():
    return 7
"""
    outcome, target = run(source)
    assert [load.raised for load in target.load_outcomes] == [None, None]
    assert outcome.value == 7


def test_the_kernel_counts_what_a_child_used(host):
    source = "import torch\nx = torch.zeros(50 << 20, dtype=torch.uint8).add_(1)\nsum(range(3 * 10**6))\n"
    with host.child() as child:
        child.load([("a", source, 1)])
    assert child.usage.cpu_seconds > 0.02
    assert child.usage.max_rss_bytes > 50 << 20


def test_the_walls_are_listed(host):
    with host.child() as child:
        child.load([])
        assert child.layers["rlimits"] == "on"
        assert child.layers["no-new-privileges"] == "on"


def test_a_gradient_call_imports_nothing(host):
    source = "import sys\nbefore = set(sys.modules)\ndef f(x):\n    return (x * x).softmax(0)\n"
    source += "def loaded():\n    return sorted(set(sys.modules) - before)\n"
    with host.child() as child:
        child.load([("a", source, 1)])
        child.perform(Step(Action.CALL, "f", (torch.ones(3),), cotangents=(torch.ones(3),)), {})
        assert child.perform(Step(Action.CALL, "loaded"), {}).value == []


def test_a_submission_does_not_see_how_its_process_was_started(run):
    outcome, _ = run("import sys\ndef f():\n    return sys.argv + sys.orig_argv\n")
    assert outcome.value == ["cell 0", "cell 0"]


def test_a_submission_that_sleeps_just_short_of_every_deadline_is_not_waited_for_all_the_same(host):
    source = "import time\ndef f():\n    time.sleep(0.2)\n    return 7\n"
    limits = Limits(call_seconds=0.5, load_seconds=1.0, total_seconds=0.5)
    target = Sandboxed(host, [Cell(label="a", source=source)], limits=limits)
    started = time.monotonic()
    statuses = []
    for _ in range(20):
        target.begin({})
        statuses.append(target.perform(Step(Action.CALL, "f")).status)
    assert statuses[0] is Status.RETURNED
    assert statuses[-1] is Status.TIMEOUT
    assert time.monotonic() - started < 2
    target.close()


def test_functions_that_nobody_watches_are_not_told(host):
    source = """
import autograder.sandbox.worker as worker
from autograder.calls import Outcome, Status
worker.perform = lambda *_: Outcome(Status.RETURNED, 7, used=("torch.softmax",))
def f():
    return 7
"""
    with host.child(QUICK) as child:
        child.load([("a", source, 1)], watch=["torch.nn.functional.scaled_dot_product_attention"])
        assert child.perform(Step(Action.CALL, "f"), {}).status is Status.TAMPERED


def test_a_file_whose_name_is_no_utf8_is_run_like_any_other(host):
    target = Sandboxed(host, [Cell(label="fran\udce7ois.py", source="def f():\n    return 1 / 0\n")], limits=QUICK)
    target.begin({})
    [frame] = target.perform(Step(Action.CALL, "f")).raised.frames
    assert (frame.file, frame.line) == ("fran\\udce7ois.py", 2)
    target.close()


FILLS_THE_DISK = {
    "large": "for i in range(100):\n        open(f'{i}', 'wb').write(bytes(15 << 20))",
    "many": "for i in range(10**6):\n        open(f'{i}', 'w').close()",
    "deep": "for i in range(300):\n        os.mkdir('x' * 200); os.chdir('x' * 200)",
    "while it prints": "while print('x' * 999) is None:\n        open(os.urandom(4).hex(), 'wb').write(bytes(9 << 20))",
}


@pytest.mark.parametrize("how", FILLS_THE_DISK)
def test_files_without_end_are_ended(host, how):
    source = f"import os\ndef f():\n    {FILLS_THE_DISK[how]}\n    import time; time.sleep(99)\n"
    target = Sandboxed(host, [Cell(label="a", source=source)], limits=Limits(call_seconds=20.0))
    target.begin({})
    outcome = target.perform(Step(Action.CALL, "f"))
    target.close()
    assert (outcome.status, outcome.exceeded.limit in (Limit.FILES, Limit.FILE_BYTES)) == (Status.CRASHED, True)


def test_a_folder_of_any_depth_is_removed(host):
    source = "import os\nfor _ in range(3000):\n    os.mkdir('x' * 200); os.chdir('x' * 200)\nopen('deep', 'w')\n"
    child = host.child()
    folder = child._folder.path
    child.load([("a", source, 1)])
    child.close()
    assert not folder.exists()


def test_a_disk_that_runs_full_ends_the_child(run, monkeypatch):
    left = iter([10 << 30, 10 << 30])
    monkeypatch.setattr("autograder.sandbox.folder._free", lambda path: next(left, 0))
    outcome, _ = run("import time\ndef f():\n    time.sleep(0.4)\n")
    assert (outcome.status, outcome.exceeded) == (Status.CRASHED, Exceeded(Limit.DISK))


def test_callbacks_without_end_meet_the_deadline(host):
    source = """
import gc, socket, struct, threading, msgspec
header = msgspec.msgpack.encode(["callback", "clock", ["P", []]])
frame = (struct.pack("<IQ", len(header), 0) + header) * 1000
gc.unfreeze()
wire = next(thing for thing in gc.get_objects() if isinstance(thing, socket.socket))
def drain():
    while True:
        wire.recv(1 << 16)
def f():
    threading.Thread(target=drain, daemon=True).start()
    while True:
        wire.sendall(frame)
"""
    with host.child(QUICK) as child:
        child.load([("a", source, 1)])
        started = time.monotonic()
        outcome = child.perform(Step(Action.CALL, "f"), {"clock": lambda: 0.0})
        assert outcome.status is Status.TIMEOUT
        assert time.monotonic() - started < 10  # of a stream that never ends, on a busy machine


def test_answers_have_a_size_in_all(host):
    source = "import torch\ndef f():\n    return torch.zeros(1 << 20, dtype=torch.uint8)\n"
    target = Sandboxed(host, [Cell(label="a", source=source)], limits=Limits(answer_bytes=30 << 20))
    target.begin({})
    statuses = [target.perform(Step(Action.CALL, "f")).status for _ in range(6)]
    assert statuses == [Status.RETURNED] * 4 + [Status.OUT_OF_MEMORY] * 2
    target.close()


def test_what_is_said_in_callbacks_has_a_size_too(host):
    source = "import torch\nx = torch.zeros(1 << 20)\ndef f(say):\n    while True:\n        say(x)\n"
    with host.child(Limits(callback_bytes=30 << 20)) as child:
        child.load([("a", source, 1)])
        child.begin({"say": id})
        outcome = child.perform(Step(Action.CALL, "f", (Callback("say"),)), {"say": lambda x: None})
    assert outcome.status is Status.OUT_OF_MEMORY
    assert len(outcome.events) < 10


def test_elements_are_counted_where_many_tensors_share_their_bytes(host):
    source = """
import gc, socket, struct, msgspec
gc.unfreeze()
wire = next(thing for thing in gc.get_objects() if isinstance(thing, socket.socket))
def f():
    tensor = ["T", "uint8", [1 << 20], None, 0, 1 << 20, "cpu"]
    leaves = [["cpu", False, []]] * 100
    header = msgspec.msgpack.encode(
        ["outcome", ["returned", ["L", [tensor] * 100], leaves, None, None, ["D", []], None, [], []]]
    )
    wire.sendall(struct.pack("<IQ", len(header), 1 << 20) + header + bytes(1 << 20))
"""
    with host.child() as child:
        child.load([("a", source, 1)])
        outcome = child.perform(Step(Action.CALL, "f"), {})
    assert (outcome.status, outcome.raised.message) == (Status.TAMPERED, "too many elements")


@pytest.mark.parametrize(
    "message",
    [
        '["outcome", ["returned", array, [], None, None, ["D", []], None, [], []]]',
        '["outcome", ["returned", 1, [], None, None, ["D", [["0", array]]], None, [], []]]',
        '["callback", "say", ["P", [array]]]',
    ],
    ids=["value", "changed", "callback"],
)
def test_an_array_that_runs_backwards_is_none_of_our_workers(host, message):
    source = f"""
import gc, socket, struct, msgspec
gc.unfreeze()
wire = next(thing for thing in gc.get_objects() if isinstance(thing, socket.socket))
array = ["N", "float64", [6], [-8], 0, 48]
def f():
    header = msgspec.msgpack.encode({message})
    wire.sendall(struct.pack("<IQ", len(header), 48) + header + bytes(48))
"""
    with host.child(QUICK) as child:
        child.load([("a", source, 1)])
        outcome = child.perform(Step(Action.CALL, "f"), {"say": torch.from_numpy})
    assert (outcome.status, outcome.raised.type_name) == (Status.TAMPERED, "WireError")


def test_an_array_may_run_backwards_into_the_child_and_not_out(run):
    outcome, _ = run("def f(x):\n    return x.strides, x\n", args=(np.arange(6.0)[::-1],))
    strides, array = outcome.value
    assert (strides, array.strides, array.tolist()) == ((-8,), (8,), [5, 4, 3, 2, 1, 0])


@pytest.mark.parametrize("value", ["16**3990", "2**2000", "-(10**400)", "[2**1100]", "{2**1100: 1}"])
def test_a_number_too_large_for_the_grader_is_not_sent(run, value):
    outcome, _ = run(f"def f():\n    return {value}\n")
    assert outcome.status is Status.OUT_OF_MEMORY
