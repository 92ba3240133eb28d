"""What *equal* means: tolerance, structure, and the sentences for what differs."""

from autograder.compare.distance import CLEARLY, Signature, apart, signature
from autograder.compare.structure import in_dtypes_of, leaves
from autograder.compare.verdict import Expected, difference, ending, structure

__all__ = [
    "CLEARLY",
    "Expected",
    "Signature",
    "apart",
    "difference",
    "ending",
    "in_dtypes_of",
    "leaves",
    "signature",
    "structure",
]
