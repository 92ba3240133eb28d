"""What the walls refuse, what they let honest code do, and what each level amounts to."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from autograder.calls import Action, Status, Step
from autograder.sandbox import verifying
from autograder.sandbox.host import Host, Limits, level_of
from autograder.sandbox.jail import Bounds, probes
from autograder.sandbox.jail.readable import readable

ROOT = Path(__file__).resolve().parents[2]
LAYERS = {
    *("user", "capabilities", "no-new-privileges", "rlimits", "landlock", "parent-death", "hidden-memory", "seccomp"),
}


PATIENT = Limits(call_seconds=60.0)  # importing half of PyTorch on a busy machine


def outcome_of(host, body, *, imports=""):
    source = f"import os, sys, socket, signal, ctypes\n{imports}\ndef f():\n    {body}\n"
    with host.child(PATIENT) as child:
        child.load([("a", source, 1)])
        return child.perform(Step(Action.CALL, "f"), {})


REFUSED = {
    "socket": "socket.socket()",
    "udp": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "unix": "socket.socket(socket.AF_UNIX)",
    "datagrams": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "resolve": "socket.create_connection(('127.0.0.1', 22))",
    "fork": "os.fork()",
    "exec": "os.execv('/bin/true', ['true'])",
    "program": "os.system('true') == 0 or os.execv('/bin/true', ['true'])",
    "spawn": "os.posix_spawn('/bin/true', ['true'], {})",
    "signal": "os.kill(os.getppid(), 0)",
    "everybody": "os.kill(-1, 0)",
    "group": "os.killpg(0, 0)",
    "pidfd": "os.pidfd_open(os.getppid())",
    "priority": "os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
    "limits": "__import__('resource').prlimit(os.getppid(), 0, (1, 1))",
    "owner": "__import__('fcntl').fcntl(1, 8, os.getppid())",
    "passwords": "open('/etc/passwd').read()",
    "home": "os.listdir('/home')",
    "processes": "os.listdir('/proc')",
    "parent": "open(f'/proc/{os.getppid()}/environ').read()",
    "memory": "open(f'/proc/{os.getppid()}/mem', 'rb').read(1)",
    "itself": "open('/proc/self/environ').read()",
    "temporary": "open('/tmp/attn-escaped', 'w')",
    "shared memory": "open('/dev/shm/attn-escaped', 'w')",
    "terminal": "open('/dev/tty', 'w')",
    "modes": "os.chmod('.', 0o777)",
    "links": "os.symlink('/etc/passwd', 'link')",
    "hard links": "os.link(os.__file__, 'link')",
    "user": "os.setuid(0)",
    "memory file": "os.memfd_create('x')",
    "root": "os.chroot('.')",
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_way_out_is_refused_and_the_child_lives_on(host, what):
    outcome = outcome_of(host, REFUSED[what])
    assert outcome.status is Status.RAISED
    refused = {"PermissionError", "OSError", "FileNotFoundError", "AttributeError"}
    assert outcome.raised.type_name in refused, outcome.raised


def test_the_kernel_refuses_what_python_has_no_function_for(host):
    body = """libc = ctypes.CDLL(None, use_errno=True)
    calls = {101: 'ptrace', 165: 'mount', 425: 'io_uring', 434: 'pidfd', 321: 'bpf', 310: 'vm_readv', 435: 'clone3'}
    gone = {}
    for number, name in calls.items():
        result = libc.syscall(number, 16, os.getppid(), 0, 0, 0)
        gone[name] = (result, ctypes.get_errno())
    return gone"""
    outcome = outcome_of(host, body)
    if os.uname().machine == "x86_64":
        assert {name for name, (result, _) in outcome.value.items() if result != -1} == set()
        assert {errno for _, errno in outcome.value.values()} == {1, 38}


HONEST = {
    "own files": "open('x', 'w').write('1'); os.rename('x', 'y'); return open('y').read() == '1'",
    "temporary files": "import tempfile\n    with tempfile.TemporaryFile() as f: return f.write(b'x') == 1",
    "saving": "torch.save(torch.ones(2), 'a.pt'); return torch.load('a.pt').sum().item() == 2",
    "threads": "import threading\n    t = threading.Thread(target=int); t.start(); t.join(); return True",
    "pools": "from concurrent.futures import ThreadPoolExecutor as P\n    return [*P(3).map(abs, [-1])] == [1]",
    "asyncio": "import asyncio\n    asyncio.run(asyncio.sleep(0)); return True",
    "lazy imports": "import sympy, csv, sqlite3, html.parser, unittest, decimal; return True",
    "gradients": "x = torch.ones(3, requires_grad=True); (x * x).sum().backward(); return x.grad.sum().item() == 6",
    "vmap": "return torch.func.vmap(torch.sin)(torch.zeros(3)).sum().item() == 0",
    "jacobians": "return torch.func.jacrev(torch.sin)(torch.zeros(2)).sum().item() == 2",
    "checkpoints": "from torch.utils.checkpoint import checkpoint as c\n    x = torch.ones(2, requires_grad=True)\n"
    "    c(torch.sin, x, use_reentrant=False).sum().backward(); return True",
    "attention": "import torch.nn.functional as F\n    q = torch.ones(1, 2, 3, 4)\n"
    "    return F.scaled_dot_product_attention(q, q, q).shape == q.shape",
    "convolutions": "return torch.nn.Conv1d(2, 3, 2)(torch.ones(1, 2, 5)).shape == (1, 3, 4)",
    "recurrence": "return torch.nn.LSTM(2, 3)(torch.ones(4, 1, 2))[0].shape == (4, 1, 3)",
    "optimisers": "p = torch.nn.Parameter(torch.ones(2)); torch.optim.AdamW([p]).step(); return True",
    "several threads": "torch.set_num_threads(2); return torch.ones(999, 999).sum().item() == 998001",
    "linear algebra": "return torch.linalg.svd(torch.eye(9))[1].sum().item() == 9",
    "numpy": "import numpy as np\n    return np.random.default_rng(0).normal(size=3).shape == (3,)",
    "einsum": "return torch.einsum('ij,jk', torch.eye(2), torch.eye(2)).sum().item() == 2",
    "own signals": "os.kill(os.getpid(), 0); signal.signal(signal.SIGUSR1, signal.SIG_IGN); return True",
    "clocks": "import time, datetime; time.sleep(0.001); return bool(datetime.datetime.now())",
    "networking modules": "import ssl, http.client, urllib.request, hashlib; return len(hashlib.sha1().digest()) == 20",
    "platform": "import platform, uuid, multiprocessing, subprocess; platform.processor(); return bool(uuid.uuid1())",
    "regular expressions and dates": "import re, locale, zoneinfo; return zoneinfo.ZoneInfo('UTC') is not None",
    "profiling": "with torch.autograd.profiler.profile(): torch.ones(2).sum()\n    return True",
    "compiled functions": "return torch.compile(torch.sin, backend='eager')(torch.zeros(2)).sum().item() == 0",
    "scripts": "return torch.jit.trace(torch.sin, torch.zeros(2))(torch.zeros(2)).sum().item() == 0",
    "tracebacks": "import traceback, inspect\n    return 'def f' in inspect.getsource(f)",
    "randomness": "import random, secrets, uuid; return len(secrets.token_bytes(3) + uuid.uuid4().bytes) == 19",
}


@pytest.mark.parametrize("what", HONEST)
def test_what_honest_code_does_goes_on_working(host, what):
    outcome = outcome_of(host, HONEST[what], imports="import torch")
    assert (outcome.status, outcome.value) == (Status.RETURNED, True), outcome.raised


def test_every_layer_is_listed_with_its_reason(host):
    assert set(host.walls.layers) == LAYERS
    assert all(state == "on" or state.startswith("off: ") for state in host.walls.layers.values())
    with host.child() as child:
        child.load([])
        assert child.layers == host.walls.layers


@pytest.mark.parametrize(
    ("without", "level"),
    [((), "full"), (("landlock",), "contained"), (("seccomp",), "limits-only"), (("rlimits",), "limits-only")],
)
def test_a_level_is_what_its_layers_amount_to(without, level):
    layers = {layer: "off: left out" if layer in without else "on" for layer in LAYERS}
    assert level_of(layers) == level


def test_without_landlock_files_can_be_read_and_none_written(tmp_path):
    (tmp_path / "there").write_text("seen", encoding="utf-8")
    with Host(without=["user", "landlock"]) as host:
        assert host.level == "contained"
        read = outcome_of(host, f"return open({str(tmp_path / 'there')!r}).read()")
        assert read.value == "seen"
        for body in (
            "open('x', 'w')",
            f"open({str(tmp_path / 'new')!r}, 'w')",
            f"os.remove({str(tmp_path / 'there')!r})",
        ):
            assert outcome_of(host, body).raised.type_name == "PermissionError"
        assert outcome_of(host, "socket.socket()").raised.type_name == "PermissionError"


def test_a_layer_that_lets_something_through_is_off(tmp_path):
    canary = tmp_path / "outside"
    canary.write_text("a line", encoding="utf-8")
    case = probes.Case(Bounds(str(tmp_path), 1 << 30, 60, 1 << 20, 64), str(canary))
    state = probes._tried("landlock", "on", case)  # in this process, which has no walls
    assert state.startswith("off: it lets through: reading a file, writing a file")


def test_a_probe_that_fails_leaves_no_wall_standing(monkeypatch):
    monkeypatch.setattr(verifying, "_MODULE", "autograder.sandbox.no_such_module")
    with Host() as host:
        assert host.level == "limits-only"
        assert "no_such_module" in host.walls.layers["probe"]
        with host.child() as child:
            child.load([])
            assert level_of(child.layers) == "limits-only"


def test_a_wall_behind_which_the_device_does_not_start_is_left_out(monkeypatch):
    answers = iter(
        [{"trouble": "no device", "layers": {"landlock": "on"}}, {"trouble": "", "layers": {"seccomp": "on"}}]
    )
    monkeypatch.setattr(verifying.Probe, "_answer", lambda self: next(answers))
    walls = verifying.Probe(sys.executable, "cuda", ()).walls()
    assert walls.without == ("landlock",)
    assert walls.layers["landlock"] == "off: cuda does not start behind it: no device"
    assert walls.layers["seccomp"] == "on"


def test_what_is_hidden_stays_so_among_what_must_be_read():
    packages = Path(sysconfig.get_paths()["purelib"])
    with Host(hidden=[str(packages / "rich")]) as host:
        hidden = outcome_of(host, f"return open({str(packages / 'rich' / 'table.py')!r}).read()")
        assert hidden.raised.type_name == "PermissionError"
        assert outcome_of(host, "import typing_extensions; return True").value is True


def test_the_folder_of_an_editable_install_is_not_read(tmp_path, monkeypatch):
    (tmp_path / "solutions").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert not [path for path in readable((), "cpu").whole if tmp_path.is_relative_to(path)]


def test_the_file_system_as_a_whole_is_never_allowed(monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", "/::/usr/lib")
    assert not {Path("/"), Path()} & {*readable(("x",), "cpu").whole}


def test_the_grader_cannot_be_looked_into(host):
    import ctypes

    assert ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) == 0


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_on_another_system_every_wall_is_off_and_says_why(platform, tmp_path):
    code = f"""
import os, platform, sys
sys.platform = {platform!r}
platform.machine = lambda: "AMD64"
if sys.platform == "win32":
    sys.modules["resource"] = None
    del os.geteuid, os.O_PATH
sys.path.insert(0, {str(ROOT)!r})
from autograder.sandbox import jail
layers = jail.confine(jail.Bounds({str(tmp_path)!r}, 1 << 30, 60, 1 << 20, 64))
assert all(state.startswith("off: ") for state in layers.values()), layers
print(sorted(layers))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == f"{sorted(LAYERS)}\n", done.stderr
