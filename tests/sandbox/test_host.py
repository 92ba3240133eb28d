"""Children come and go without a trace."""

import os
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import pytest
import torch

from autograder.calls import Action, Callback, Status, Step
from autograder.sandbox.host import Host, Limits
from autograder.sandbox.processes import SandboxError

WALLS = ("user", "landlock", "seccomp")  # without them a submission gets as far as these tests need
SOURCE = """
def double(x, fn=None):
    print("seen")
    return 2 * x if fn is None else fn(x)
"""
DOUBLE = ("answer.py", SOURCE, 1)


def descriptors():
    return sorted(path.name for path in Path("/proc/self/fd").iterdir() if path.is_symlink())


def processes():
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_child_of_either_kind_answers_and_leaves_nothing(method, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = (descriptors(), processes())
    with Host(method=method) as host:
        host.start()
        child = host.child(Limits(call_seconds=1.0))
        child.load([DOUBLE])
        child.begin({"fn": lambda x: x + 1})
        assert child.perform(Step(Action.CALL, "double", (torch.ones(2),)), {}).value.tolist() == [2.0, 2.0]
        asked = child.perform(Step(Action.CALL, "double", (3, Callback("fn"))), {"fn": lambda x: x + 1})
        assert (asked.value, asked.events[0].args) == (4, (3,))
        child.close()
        assert child.output == "seen\nseen\n"
        assert child.usage.cpu_seconds > 0
        host.child().load([DOUBLE])  # and is left to the host
    assert (descriptors(), processes()) == before
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_loop_ends_in_a_child_of_either_kind(method):
    with Host(method=method) as host:
        child = host.child(Limits(call_seconds=0.3))
        child.load([("a", "def f():\n    while True: pass\n", 1)])
        assert child.perform(Step(Action.CALL, "f"), {}).status is Status.TIMEOUT
        assert child.closed


def test_starting_returns_at_once(host):
    with Host() as other:
        started = time.monotonic()
        other.start()
        assert time.monotonic() - started < 0.5


def test_children_live_side_by_side(host):
    with host.child() as one, host.child() as two:
        one.load([("a", "x = 1\ndef f():\n    return x\n", 1)])
        two.load([("a", "x = 2\ndef f():\n    return x\n", 1)])
        assert [child.perform(Step(Action.CALL, "f"), {}).value for child in (one, two, one)] == [1, 2, 1]


def test_faulty_helpers_are_our_own_fault(host):
    with host.child() as child, pytest.raises(SandboxError, match="ZeroDivisionError"):
        child.load([DOUBLE], "1/0")


def test_a_fork_server_that_cannot_start_says_why():
    with Host(preload=["no_such_module"]) as host, pytest.raises(SandboxError, match="no_such_module"):
        host.child()


def test_a_fork_server_that_was_killed_is_replaced():
    with Host(without=WALLS) as host:
        host.child().load([("a", "import os\nos.kill(os.getppid(), 9)\n", 1)])
        time.sleep(0.2)
        with host.child() as child:
            child.load([DOUBLE])
            assert child.perform(Step(Action.CALL, "double", (2,)), {}).value == 4


def test_a_fork_server_that_was_stopped_is_replaced_with_all_that_it_has_started(monkeypatch, tmp_path):
    monkeypatch.setattr("autograder.sandbox.processes.END_SECONDS", 0.3)
    note = tmp_path / "pids"
    source = f"""
import os, signal, time
os.kill(os.getppid(), signal.SIGSTOP)
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    time.sleep(60)
with open({str(note)!r}, "a") as file:
    file.write(f"{{os.getpid()}} ")
"""
    with Host(without=WALLS) as host:
        child = host.child()
        child.load([("a", source, 1)])
        server = host._launcher._server
        started = time.monotonic()
        child.close()
        assert time.monotonic() - started < 5
        assert server.poll() == -9
        assert not [pid for pid in note.read_text(encoding="ascii").split() if is_running(pid)]
        with host.child() as child:
            child.load([DOUBLE])
            assert child.perform(Step(Action.CALL, "double", (2,)), {}).value == 4


def is_running(pid):
    try:
        return Path("/proc", pid, "stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_host_that_starts_nothing_leaves_nothing_whatever_ends_it(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Host():
        assert list(tmp_path.iterdir()) == []


def test_a_grader_that_is_killed_takes_its_children_with_it(tmp_path):
    code = """
    import os, sys
    sys.path.insert(0, sys.argv[1])
    from autograder.sandbox.host import Host
    host = Host()
    child = host.child()
    child.load([("a", "import os\\ndef f(): pass\\n", 1)])
    print(host._launcher._server.pid, flush=True)
    os.kill(os.getpid(), 9)
    """
    root = str(Path(__file__).resolve().parents[2])
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), root],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    server = Path("/proc", run.stdout.strip())
    deadline = time.monotonic() + 5
    while server.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not server.exists() or "Z" in (server / "stat").read_text(encoding="ascii").split()[2]
    assert list(tmp_path.iterdir()) == []
