"""Where ATTN_NO_SKIPS is set, as in CI, a test that skips because something is not installed fails."""

import os
import re
from collections.abc import Generator
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
