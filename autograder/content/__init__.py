"""Authored folders: found, read, checked. Nothing found in a folder is run, and torch is not loaded."""

from autograder.content.edits import apply, in_pieces
from autograder.content.examples import Example, examples
from autograder.content.folders import assignment_names, find_solutions, resolve
from autograder.content.generated import generated
from autograder.content.lessons import lessons
from autograder.content.loading import load
from autograder.content.reference import parse

__all__ = [
    "Example",
    "apply",
    "assignment_names",
    "examples",
    "find_solutions",
    "generated",
    "in_pieces",
    "lessons",
    "load",
    "parse",
    "resolve",
]
