"""From inside the child: no reference, hidden test, secret, gradebook or other submission, wherever it looks."""

import os
import re
import sqlite3
from pathlib import Path

import pytest

from autograder.calls import Action, Step
from autograder.content import load
from autograder.graders import grade, prepare
from autograder.model import Cell
from autograder.notebooks import read
from autograder.sandbox import processes
from autograder.sandbox.host import Host, Limits
from autograder.targets.sandboxed import Sandboxed

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "solutions" / "04_masked_softmax"
SECRET = "the open sesame of this course"
PATIENT = Limits(call_seconds=60.0, test_seconds=60.0)
ENVIRONMENT = "ATTN_TEST_OPEN_SESAME"


def lines_of(name):
    """What only stands in that file of the assignment."""
    shared = "".join((FOLDER / other).read_text(encoding="utf-8") for other in ("test_visible.py", "text.en.toml"))
    lines = {line.strip() for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()}
    return sorted((line for line in lines if line not in shared), key=len)[-3:]


def needles():
    found = [*lines_of("solution.py"), *lines_of("test_hidden.py"), SECRET, "sesame of the environment"]
    return [needle.encode() for needle in found] + [b"mask-causal-reversed-triangle", b"from another submission"]


def blurred(needle):
    """A pattern that finds the needle and does not contain it."""
    return re.escape(needle[:9]) + b"[" + re.escape(needle[9:10]) + b"]" + re.escape(needle[10:])


def patterns():
    """Each needle as bytes, and as it lies in a Python string that also holds wider characters."""
    texts = [needle.decode() for needle in needles()]
    return [blurred(text.encode(form)) for form in ("utf-8", "utf-16-le") for text in texts]


WALK_MEMORY = """
import ctypes, gc, re, sys
import torch

ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # to be looked into, by itself

def causal_mask(n_queries, n_keys=None, device=None, seen=[]):
    if seen:
        return seen[0]
    seen.append(torch.ones(1))
    searched = [re.compile(pattern) for pattern in PATTERNS]
    for region in regions():
        for compiled in searched:
            if compiled.search(region):
                note(b"memory: " + compiled.pattern)
    for thing in gc.get_objects():
        if type(thing).__module__.startswith(("autograder.model", "autograder.graders", "_pytest")):
            note(type(thing).__name__.encode())
    frame = sys._getframe()
    while frame is not None:
        note(b"frame " + frame.f_code.co_filename.rpartition("autograder")[2].encode())
        frame = frame.f_back
    note(b"walked")

def note(line):
    with open(NOTE, "ab") as file:
        file.write(line + bytes([10]))

def regions():
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            span, rights, *_, inode = line.split()[:5]
            if rights.startswith("rw") and inode == "0":
                first, last = (int(end, 16) for end in span.split("-"))
                try:
                    memory.seek(first)
                    yield memory.read(last - first)
                except (OSError, OverflowError, ValueError):
                    pass
"""


@pytest.fixture(scope="module")
def kit():
    return prepare(load(FOLDER), secret=SECRET)


def grade_text(kit, host, tmp_path, text, name="ada.py"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return grade(kit, read(path, kit.assignment, student=path.stem), host, limits=PATIENT)


def walked_memory(kit, tmp_path):
    """What a submission finds that walks all memory of its process, its objects and its frames."""
    note = tmp_path / "note"
    with Host(without=["user", "landlock", "seccomp", "hidden-memory"]) as host:  # so that it may read its own memory
        grade_text(kit, host, tmp_path, "def causal_mask(*_):\n    return 'from another submission'\n", "bob.py")
        grade_text(kit, host, tmp_path, f"PATTERNS = {patterns()!r}\nNOTE = {str(note)!r}\n{WALK_MEMORY}")
    return {line.decode("utf-8", "backslashreplace") for line in note.read_bytes().splitlines()}


def test_nothing_lies_in_the_memory_of_a_child(kit, tmp_path, monkeypatch):
    monkeypatch.setenv(ENVIRONMENT, "sesame of the environment")
    found = walked_memory(kit, tmp_path)
    assert "walked" in found
    ours = {line for line in found if line.startswith("frame ")}
    assert found - ours == {"walked"}
    beside = {"perform", "worker", "zygote", "loading", "jail/__init__"}
    allowed = {f"frame /sandbox/{name}.py" for name in beside} | {"frame ada.py", "frame <string>", "frame "}
    assert ours <= allowed | {f"frame {tmp_path}/ada.py"}


def test_what_the_fork_server_held_would_be_found(kit, tmp_path, monkeypatch):
    bytes_, string, wide = lines_of("solution.py")
    held = (bytes_.encode(), string, f"√ {wide}")
    starting, surroundings = processes.command, processes.environment

    def command(python, module, arguments):
        *start, code = starting(python, module, ())
        return [*start, f"held = {held!r}; {code}", *arguments]

    monkeypatch.setattr(processes, "command", command)
    monkeypatch.setattr(processes, "environment", lambda: surroundings() | {ENVIRONMENT: "sesame of the environment"})
    found = {line for line in walked_memory(kit, tmp_path) if line.startswith("memory: ")}
    planted = [*(text.encode() for text in (bytes_, string, "sesame of the environment")), wide.encode("utf-16-le")]
    assert {f"memory: {blurred(needle).decode('utf-8', 'backslashreplace')}" for needle in planted} <= found


def test_the_walk_finds_what_is_there(tmp_path):
    note = tmp_path / "note"
    planted = f"PATTERNS = {[blurred(b'planted where it can be seen')]!r}\nNOTE = {str(note)!r}\n{WALK_MEMORY}"
    cells = [Cell(label="a", source="kept = 'planted where it ' + str('can be seen')"), Cell(label="b", source=planted)]
    with Host(without=["user", "landlock", "seccomp", "hidden-memory"]) as host:
        target = Sandboxed(host, cells)
        target.begin({})
        target.perform(Step(Action.CALL, "causal_mask", (3,)))
        target.close()
    assert b"memory: " in note.read_bytes()


WALK_FILES = """
import os
def readable(paths):
    return [path for path in paths if can_read(path)]
def can_read(path):
    try:
        return bool(os.listdir(path)) if os.path.isdir(path) else bool(open(path, "rb").read(1))
    except OSError:
        return False
def listable(top):
    return sorted(os.path.join(top, name) for name in ("lib", "usr", "etc", "proc", "home", "tmp", "var", "dev", "mnt")
                  if can_read(os.path.join(top, name)))
def surroundings():
    kinds = {}
    for number in range(1024):
        try:
            kinds[number] = os.fstat(number).st_mode >> 12
        except OSError:
            pass
    return dict(os.environ), kinds
"""


@pytest.fixture
def walker(host):
    target = Sandboxed(host, [Cell(label="a", source=WALK_FILES)])
    target.begin({})
    yield lambda name, *args: target.perform(Step(Action.CALL, name, args)).value
    target.close()


def test_no_file_of_the_course_can_be_read(walker, tmp_path):
    gradebook = tmp_path / "gradebook.db"
    sqlite3.connect(gradebook).execute("create table grades (points)").connection.commit()
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "bob.json").write_text("{}", encoding="utf-8")
    authored = [path for path in (ROOT / "solutions").rglob("*") if path.name != "__pycache__"]
    submissions = list((ROOT / "tests" / "submissions").rglob("*"))
    ours = [
        ROOT,
        ROOT / "tests",
        ROOT / "assignments",
        ROOT / "autograder",
        ROOT / "README.md",
        ROOT / ".git" / "config",
    ]
    places = [*authored, *submissions, *ours, *tmp_path.rglob("*"), Path.home(), Path("/etc/passwd"), Path("/tmp")]
    assert len(places) > 100
    assert walker("readable", [str(path) for path in places]) == []


def test_without_the_wall_the_walk_of_files_finds_them(weak_host):
    with weak_host.child() as child:
        child.load([("a", WALK_FILES, 1)])
        places = [str(path) for path in (FOLDER / "solution.py", FOLDER, ROOT / "tests", Path("/etc/passwd"))]
        assert child.perform(Step(Action.CALL, "readable", (places,)), {}).value == places


def test_the_files_of_processes_and_of_other_children_cannot_be_read(walker, host):
    with host.child() as other:
        other.load([("b", "open('mine', 'w').write('from another submission')", 1)])
        places = [*host._folder.rglob("*"), host._folder]
        own = Path(walker("surroundings")[0]["HOME"])
        neighbours = [path for path in places if path != own]
        assert any(path.name == "mine" for path in neighbours)
        assert walker("readable", [str(path) for path in neighbours]) == []
    processes = [f"/proc/{name}/{file}" for name in ("self", os.getpid()) for file in ("environ", "maps", "mem", "fd")]
    assert walker("readable", [*processes, "/proc/mounts", "/proc/net/tcp", "/proc"]) == []


def test_of_the_file_system_only_libraries_can_be_listed(walker):
    assert set(walker("listable", "/")) <= {"/lib"}
    assert set(walker("listable", "/usr")) <= {"/usr/lib"}


def test_the_environment_and_the_descriptors_tell_nothing(walker, monkeypatch):
    monkeypatch.setenv(ENVIRONMENT, "sesame of the environment")
    environment, kinds = walker("surroundings")
    assert not [name for name in environment if "ATTN" in name or "PYTEST" in name or "NBGRADER" in name]
    assert "sesame" not in str(environment)
    character, pipe, socket = 0o02, 0o01, 0o14
    assert sorted(kinds.values()) == [pipe, pipe, character, socket]


def test_the_child_has_loaded_only_what_runs_a_submission(host):
    with host.child() as child:
        child.load([("a", "import sys\ndef f():\n    return [*sys.modules]\n", 1)])
        modules = child.perform(Step(Action.CALL, "f"), {}).value
    ours = {name.removeprefix("autograder.sandbox.") for name in modules if name.startswith("autograder.sandbox.")}
    walls = "bounds bpf credentials landlock linux readable resources seccomp surroundings syscalls"
    beside = "errors gradients jail loading nodes perform records standins tensors watching wire worker zygote"
    assert ours == {*beside.split(), *(f"jail.{name}" for name in walls.split())}
    others = {name for name in modules if name.startswith("autograder") and "sandbox" not in name}
    assert others == {"autograder", "autograder.calls"}
