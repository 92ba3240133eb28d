"""Outcomes in a few bytes, however large their numbers are."""

from __future__ import annotations

import math

from autograder.calls import Outcome, Status
from autograder.compare import Expected, Signature, apart, signature, sketch


def seen(number: float) -> Signature:
    """The signature of a function that returns a number where the reference returns 2."""
    wanted = Outcome(Status.RETURNED, 2.0)
    return signature(Outcome(Status.RETURNED, number), Expected(wanted, wanted))


def test_numbers_beyond_float32_can_be_sketched() -> None:
    huge = seen(math.exp(150.0))
    assert apart(huge, sketch(huge)) <= 1.0
    assert apart(seen(2.0), sketch(huge)) > 1.0
