"""What makes a pytest test a grader: the file it stands in, and its marks."""

from __future__ import annotations

import pytest

GRADERS = ("test_visible.py", "test_hidden.py")


def register_marks(config: pytest.Config) -> None:
    """Makes graders' marks known."""
    config.addinivalue_line("markers", "points(function, points): what passing is worth, and for which function")
    config.addinivalue_line("markers", "memory(mebibytes): what all calls of a grader may take beyond PyTorch itself")
    config.addinivalue_line("markers", "dtypes(*names): run a grader once for each floating dtype")
