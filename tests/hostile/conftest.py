"""What is graded here is a small assignment; corpus.py and it are shared with a benchmark."""

import sys
from pathlib import Path

import pytest

from autograder.graders.kit import Kit

sys.path.insert(0, str(Path(__file__).parent))  # pytest imports tests without it

import small_assignment


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    return small_assignment.make(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def kit(assignment):
    return Kit(assignment)
