"""One run of `attn demo` for all tests; and where ATTN_NO_SKIPS is set, as in CI, no skip for want of a package."""

import os
import re
import subprocess
import sys
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ABSENT = re.compile("not installed|could not import")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    return _insist((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    return _insist((yield))


def _insist(report: Any) -> Any:
    """A skip's `longrepr` is (file, line, reason); an expected failure, which also counts as skipped, has another."""
    if os.environ.get("ATTN_NO_SKIPS") and report.skipped and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2]
        if ABSENT.search(reason):
            report.outcome = "failed"
            report.longrepr = f"must not be skipped here: {reason}"
    return report


LONGEST_RUN = 600  # seconds: a class with several endless loops on a busy machine
# On its way out, an orphan of the grading process shows up below whoever adopts orphans.
ADOPTING = """
import ctypes, os, subprocess, sys, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
code = subprocess.call(sys.argv[2:])
end = time.monotonic() + 5
left = True
while left and time.monotonic() < end:
    try:
        left = os.waitpid(-1, os.WNOHANG) and True
    except ChildProcessError:
        left = False
    time.sleep(0.05 * left)
open(sys.argv[1], "w").write("some" if left else "none")
sys.exit(code)
"""


@dataclass(frozen=True)
class Demo:
    """What one run of `attn demo` said and left behind."""

    code: int
    stdout: str
    stderr: str
    out: Path
    processes_left: str


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    watch = [sys.executable, "-c", ADOPTING, str(folder / "left")] if sys.platform == "linux" else []
    done = subprocess.run(
        [*watch, sys.executable, "-m", "autograder.cli", "demo"],
        cwd=folder,
        env=os.environ | {"PYTHONUTF8": "1", "COLUMNS": "200", "ATTN_LANG": "en"},
        check=False,
        capture_output=True,
        timeout=LONGEST_RUN,
    )
    return Demo(
        code=done.returncode,
        stdout=done.stdout.decode("utf-8", "replace"),
        stderr=done.stderr.decode("utf-8", "replace"),
        out=folder / "attn-demo",
        processes_left=(folder / "left").read_text(encoding="utf-8") if watch else "unknown",
    )
