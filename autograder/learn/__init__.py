"""What runs on a learner's machine, and needs nothing of `solutions/`: checks and questions in notebooks, packs.

    from autograder.learn import lesson
    check, ask = lesson("04_masked_softmax", language="en")

Nothing is imported until it is asked for: commands that only look something up load no PyTorch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.learn.lessons import CheckFailed, lesson

__all__ = ["CheckFailed", "lesson"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(name)
    from autograder.learn import lessons

    return getattr(lessons, name)
