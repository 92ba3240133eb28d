"""What *equal* means: tolerance, structure, and the sentences for what differs."""

from autograder.compare.distance import CLEARLY, alike, apart, distances
from autograder.compare.signature import Signature, signature
from autograder.compare.sketch import Given, Sketch, sketch
from autograder.compare.structure import Path, in_dtypes_of, leaves, path_text, type_text
from autograder.compare.verdict import Expected, difference, ending, structure

__all__ = [
    "CLEARLY",
    "Expected",
    "Given",
    "Path",
    "Signature",
    "Sketch",
    "alike",
    "apart",
    "difference",
    "distances",
    "ending",
    "in_dtypes_of",
    "leaves",
    "path_text",
    "signature",
    "sketch",
    "structure",
    "type_text",
]
