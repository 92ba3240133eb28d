"""What *equal* means: tolerance, structure, and the sentences for what differs."""

from autograder.compare.distance import CLEARLY, Signature, apart, signature
from autograder.compare.structure import leaves
from autograder.compare.verdict import Expected, difference, ending, structure

__all__ = ["CLEARLY", "Expected", "Signature", "apart", "difference", "ending", "leaves", "signature", "structure"]
