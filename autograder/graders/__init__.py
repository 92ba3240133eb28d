"""Grading one submission: pytest graders run beside the reference, verdicts, findings, a report.

Nothing is imported until it is asked for: every run of pytest loads this package for its plugin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.graders.grading import check, grade, prepare

__all__ = ["check", "grade", "prepare"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(name)
    from autograder.graders import grading

    return getattr(grading, name)
