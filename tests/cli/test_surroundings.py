"""Where a command is typed: closed pipes, full disks, folders that are gone, other locales, Ctrl-C."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ATTN = [sys.executable, "-P", "-c", "from autograder.cli import main; main()"]
ANSWER = "def score_count(batch, heads, n_queries, n_keys):\n    return batch * heads * n_queries * n_keys\n"
ENDLESS = "while True:\n    pass\n"
FULL = "attn: attn failed, and not because of a submission: OSError: [Errno 28] No space left on device\n"

posix = pytest.mark.skipif(os.name == "nt", reason="signals and devices of POSIX")
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of every process")


def environment(**changes):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ATTN_", "LC_", "LANG"))}
    return kept | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"} | changes


def attn(*arguments, cwd, env=None, stdout=subprocess.PIPE):
    return subprocess.run(
        [*ATTN, *map(str, arguments)],
        cwd=cwd,
        env=environment() if env is None else env,
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
        timeout=120,
        text=True,
        encoding="utf-8",
    )


@pytest.fixture
def place(tmp_path):
    (tmp_path / "ann.py").write_text(ANSWER, encoding="utf-8")
    return tmp_path


# ------------------------------------------------------------------------------------------- where output goes


@posix
@pytest.mark.parametrize(
    "arguments", [["status"], ["explain", "score-no-scale"], ["doctor", "--json"], ["check", "ann.py"]], ids="-".join
)
def test_a_reader_who_leaves_is_no_failure(place, arguments):
    """As with `| head`: no traceback, and not code 1, which would say that a test does not pass."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = attn(*arguments, cwd=place, stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


@posix
def test_what_was_graded_is_written_though_nobody_reads(place):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = attn("grade", "ann.py", "-a", "06", "--out", "out", cwd=place, stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")
    assert (place / "out" / "reports" / "ann" / "06_complexity.json").is_file()
    assert (place / "out" / "summary.json").is_file()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("arguments", [["--help"], ["status"], ["doctor", "--json"]], ids="-".join)
def test_what_cannot_be_written_is_one_line_and_our_failure(place, arguments):
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = attn(*arguments, cwd=place, stdout=full)
    assert (done.returncode, done.stderr) == (3, FULL)


@posix
@pytest.mark.parametrize(("closed", "code"), [("1>&-", 0), ("2>&-", 0), ("0<&-", 0), ("1>&- 2>&- 0<&-", 0)])
def test_a_stream_that_is_closed_is_not_missed(place, closed, code):
    command = f'"$0" -P -c "from autograder.cli import main; main()" status {closed}'
    done = subprocess.run(["sh", "-c", command, sys.executable], cwd=place, env=environment(), check=False)
    assert done.returncode == code


@pytest.mark.parametrize("changes", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0"}, {"LANG": "ja_JP.eucJP"}])
def test_a_pipe_gets_utf8_whatever_the_locale(place, changes):
    done = attn("explain", "score-no-scale", "--lang", "ja", cwd=place, env=environment(**changes))
    assert (done.returncode, done.stderr) == (0, "")
    assert "平方根" in done.stdout


# ------------------------------------------------------------------------------------------------ where it stands


@posix
@pytest.mark.parametrize("arguments", [["status"], ["hint"], ["check", "ann.py"], ["grade", "ann.py"]], ids="-".join)
def test_a_folder_that_is_gone_is_one_line(place, arguments):
    (place / "gone").mkdir()
    script = (
        f'cd gone && rmdir "$PWD" && exec "$0" -P -c "from autograder.cli import main; main()" {" ".join(arguments)}'
    )
    done = subprocess.run(
        ["sh", "-c", script, sys.executable], cwd=place, env=environment(), check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "attn: the folder that you are in is no longer there; change to another\n"


@posix
@pytest.mark.parametrize("home", [None, "/nonexistent", "/dev/null"])
def test_a_check_needs_no_home(place, home):
    """And its progress is found again by the commands that only read, in a folder that is no part of the kit."""
    changes = {name: value for name, value in environment().items() if name != "HOME"} | (
        {"HOME": home} if home else {}
    )
    wrong = "def causal_mask(n_queries, n_keys=None, device=None):\n    import torch\n"
    wrong += "    return torch.ones(n_queries, n_keys or n_queries, dtype=torch.bool).tril(-1)\n"
    (place / "masked_softmax.py").write_text(wrong, encoding="utf-8")
    checked = attn("check", "masked_softmax.py", cwd=place, env=changes)
    assert (checked.returncode, checked.stderr) == (1, "")
    hinted, told = attn("hint", cwd=place, env=changes), attn("status", cwd=place, env=changes)
    assert (hinted.returncode, hinted.stderr) == (0, "")
    assert "the causal mask hides the past and shows the future" in hinted.stdout
    assert "causal_mask       does not pass" in told.stdout
    assert (place / ".attn" / "state.json").is_file()


def progress(assignment):
    """What a check keeps, of some assignment."""
    kept = json.loads((ROOT / "tests" / "learn" / "state.json").read_text(encoding="utf-8"))
    kept["last"] |= {"assignment": assignment, "hints": -7}
    return json.dumps(kept)


@posix
def test_a_number_of_hints_that_cannot_be_is_the_first(place):
    (place / ".attn").mkdir()
    (place / ".attn" / "state.json").write_text(progress("04_masked_softmax"), encoding="utf-8")
    assert "hint 1 of 2: " in attn("hint", cwd=place).stdout


@posix
@pytest.mark.parametrize("in_the_way", ["folder", "file", "pipe", "nonsense", "gone", "outside"])
def test_progress_that_cannot_be_kept_or_read_stops_nobody(place, in_the_way):
    (place / ".attn").mkdir()
    file = place / ".attn" / "state.json"
    {
        "folder": file.mkdir,
        "file": lambda: (shutil.rmtree(file.parent), file.parent.write_text("", encoding="utf-8")),
        "pipe": lambda: os.mkfifo(file),
        "nonsense": lambda: file.write_text('{"functions": {"../..": 1}, "last": "[' * 9999, encoding="utf-8"),
        "gone": lambda: file.write_text(progress("99_gone"), encoding="utf-8"),
        "outside": lambda: file.write_text(progress("../../etc"), encoding="utf-8"),
    }[in_the_way]()
    assert attn("status", cwd=place).returncode == 0
    hinted = attn("hint", cwd=place)
    assert (hinted.returncode, hinted.stderr) == (2, "attn: nothing was found yet; type: attn check\n")


# --------------------------------------------------------------------------------------------------------- Ctrl-C


def children_of(parent):
    """Every process below one."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            except OSError:
                continue
            if int(words[1]) == parent and words[0] != "Z":
                found += [int(folder.name), *children_of(int(folder.name))]
    return found


def wait_until(true, seconds=60):
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    return true()


@pytest.fixture
def listening():
    """What runs in the background begins deaf to Ctrl-C, and so would all that it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("listening")
@linux
@pytest.mark.parametrize(
    ("arguments", "number"),
    [
        (["grade", ".", "-a", "06", "--out", "out"], signal.SIGINT),
        (["grade", ".", "-a", "06", "--out", "out", "--jobs", "2"], signal.SIGINT),
        (["grade", ".", "-a", "06", "--out", "out", "--jobs", "2"], signal.SIGKILL),
        (["check", "bo.py", "-a", "06"], signal.SIGINT),
    ],
    ids=lambda part: part[0] + part[-1] if isinstance(part, list) else part.name,
)
def test_a_run_that_is_stopped_leaves_no_process_behind(place, arguments, number):
    (place / "bo.py").write_text(ENDLESS, encoding="utf-8")
    running = subprocess.Popen(
        [*ATTN, *arguments], cwd=place, env=environment(), stderr=subprocess.PIPE, start_new_session=True, text=True
    )
    ready = (place / "out" / "reports" / "ann" / "06_complexity.json").is_file
    assert wait_until(ready if "--out" in arguments else lambda: len(children_of(running.pid)) > 1)
    below = children_of(running.pid)
    os.killpg(running.pid, number) if number == signal.SIGINT else running.kill()
    _, said = running.communicate(timeout=60)
    assert running.returncode == (130 if number == signal.SIGINT else -number)
    assert said == ("attn: interrupted; whatever was written so far is complete\n" if running.returncode > 0 else "")
    assert below
    assert wait_until(lambda: not any(Path(f"/proc/{child}").exists() for child in below), 20)


@posix
@pytest.mark.usefixtures("listening")
def test_ctrl_c_while_a_command_starts_is_no_traceback():
    """Whoever presses it does so at any moment: here while the commands are being imported."""
    interrupted = (
        "import os, signal, sys\n"
        "class Interrupts:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'typer':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupts())\n"
        "from autograder.cli import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", interrupted], env=environment(), check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (130, "")
