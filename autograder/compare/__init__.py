"""What *equal* means: tolerance, structure, and the sentences for what differs."""

from autograder.compare.distance import CLEARLY, apart
from autograder.compare.structure import leaves
from autograder.compare.verdict import Expected, difference, ending, structure

__all__ = ["CLEARLY", "Expected", "apart", "difference", "ending", "leaves", "structure"]
