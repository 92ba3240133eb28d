"""Where there is no fork and no wall (macOS, Windows): workers started ahead, limits only, said plainly, no orphans."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from autograder.calls import Action, Status, Step
from autograder.model import Cell
from autograder.sandbox import host as hosts
from autograder.sandbox import spawning, verifying
from autograder.sandbox.host import Host, Limits
from autograder.targets.sandboxed import Sandboxed

ROOT = Path(__file__).resolve().parents[2]
LOOP = "def f():\n    while True:\n        pass\ndef fine():\n    return 42\n"
ELSEWHERE = "import torch, sys; sys.platform = 'darwin'; "  # PyTorch itself must be loaded as on this system


def is_running(pid):
    try:
        return Path("/proc", str(pid), "stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def gone(pid, seconds=20.0):
    deadline = time.monotonic() + seconds
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not is_running(pid)


@pytest.fixture
def macos(monkeypatch):
    """A host that takes this system for macOS, and so do its children."""

    def command(python, module, arguments):
        *start, code = starting(python, module, ())
        return [*start, ELSEWHERE + code, *arguments]

    starting = spawning.command
    for module in (spawning, verifying):
        monkeypatch.setattr(module, "command", command)
    with monkeypatch.context() as patched:
        patched.setattr(hosts.sys, "platform", "darwin")
        host = Host()
    yield host
    host.close()


def test_on_macos_limits_hold_and_nothing_else_is_claimed(macos):
    assert isinstance(macos._launcher, spawning.Spawner)
    assert macos.level == "limits-only"
    assert all(state.startswith("off: ") for state in macos.walls.layers.values())
    assert macos.walls.layers["landlock"] == "off: Linux only"
    target = Sandboxed(macos, [Cell(label="a", source=LOOP)], limits=Limits(call_seconds=0.5))
    target.begin({})
    assert target.layers == macos.walls.layers
    assert target.perform(Step(Action.CALL, "f")).status is Status.TIMEOUT
    target.begin({})  # by the worker that was started ahead
    assert target.perform(Step(Action.CALL, "fine")).value == 42
    target.close()


KILLED_GRADER = """
    import os, sys
    sys.path.insert(0, sys.argv[1])
    from autograder.calls import Action, Step
    from autograder.sandbox.host import Host, Limits
    host = Host(method="spawn", without=["parent-death"])
    child = host.child()
    child.load([("a", sys.argv[2], 1)])
    ahead = host._launcher._ahead._process.pid
    print(child._process._process.pid, ahead, flush=True)
    child.perform(Step(Action.CALL, "f"), {})
"""


@pytest.mark.parametrize("what", ["while True: pass", "__import__('time').sleep(600)"])
def test_where_the_kernel_does_not_a_child_ends_itself_when_its_grader_is_killed(what):
    source = f"def f():\n    {what}\n"
    arguments = [sys.executable, "-c", textwrap.dedent(KILLED_GRADER), str(ROOT), source]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as grader:
        busy, ahead = map(int, grader.stdout.readline().split())
        time.sleep(0.3)  # it is in the middle of the call
        assert is_running(busy)
        grader.kill()
    try:
        assert gone(busy)
        assert gone(ahead)
    finally:
        for pid in (busy, ahead):
            if is_running(pid):
                os.kill(pid, signal.SIGKILL)


def test_what_a_child_has_started_ends_with_it(tmp_path):
    note = tmp_path / "pid"
    source = f"""
import os, time
if os.fork() == 0:
    open({str(note)!r}, "w").write(str(os.getpid()))
    time.sleep(600)
while not os.path.exists({str(note)!r}) or not open({str(note)!r}).read():
    time.sleep(0.01)
"""
    without = ["user", "landlock", "seccomp", "parent-death"]
    with Host(method="spawn", without=without) as host, host.child() as child:
        child.load([("a", source, 1)])
        pid = int(note.read_text(encoding="ascii"))
        assert is_running(pid)
    assert gone(pid)
