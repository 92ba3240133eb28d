"""Notebooks and scripts: what a student handed in, as code."""

from autograder.notebooks.answers import Written, written
from autograder.notebooks.cells import Unreadable, read_bytes
from autograder.notebooks.guessing import guess_assignment
from autograder.notebooks.reading import read, trouble_with

__all__ = ["Unreadable", "Written", "guess_assignment", "read", "read_bytes", "trouble_with", "written"]
