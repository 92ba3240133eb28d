"""Notebooks and scripts: what a student handed in, as code."""

from autograder.notebooks.guessing import guess_assignment
from autograder.notebooks.reading import read

__all__ = ["guess_assignment", "read"]
