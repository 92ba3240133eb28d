"""The tolerance policy: how far a result may be off, per dtype, and why.

A result is compared in float64 with what the reference gives in float64, within a bound made of two parts: a floor for
the dtype, and the error that the reference itself makes when run plainly in that dtype on the same input. So a right
answer that sums in another order, scales earlier or works in blocks passes, and one computed in half precision fails.

Floors, per dtype (relative to each expected value, and absolute relative to the largest of them):
float64 1e-6, since a softmax taken in float32 or a scale from a 0-d float32 tensor is right and costs 1e-8 to 1e-7;
float32 1e-4 and 1e-5, ten times what right styles were seen to differ, a thousandth of what mistakes do;
bfloat16 and float16 as those formats' own rounding after a few operations.
A Python float may have been computed in any of them: it is judged as float32.
A gradient may be the small difference of large numbers, rounded on the way there and back: its floor is relative to
the largest number among the results and gradients of its call, PLAIN_FACTOR times.
NaN and infinity are never within a bound: a comparison that meets one fails.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

_RELATIVE = {torch.float64: 1e-6, torch.float32: 1e-4, torch.bfloat16: 5e-2, torch.float16: 5e-3}
_ABSOLUTE = {torch.float64: 1e-6, torch.float32: 1e-5, torch.bfloat16: 5e-2, torch.float16: 5e-3}
# Values near 1 are the rule (weights, unit inputs); below it the floor stays, except in half precision, where a floor
# of 0.05 would hide everything.
_UNIT = {torch.float64: 1.0, torch.float32: 1.0, torch.bfloat16: 0.25, torch.float16: 0.25}
PLAIN_FACTOR = 4.0  # another order of operations may err a few times as much as the reference's own


def bounds(plain: torch.Tensor, exact: torch.Tensor, dtype: Any, *, scale: float = 0.0) -> torch.Tensor | None:
    """How far each element may be off, in float64; None for dtypes that must be equal.

    `scale` is the size of what the tensor was computed from, where that is larger than the tensor itself.
    """
    if dtype not in _RELATIVE:
        return None
    size = exact.abs()
    largest = max(finite_max(size), scale)
    error = finite_max((plain - exact).abs())
    return _RELATIVE[dtype] * size + (_ABSOLUTE[dtype] * max(_UNIT[dtype], largest) + PLAIN_FACTOR * error)


def number_bound(number: float) -> float:
    """How far a float by itself may be off: nothing says in which dtype it was computed, and float32 is right."""
    return _RELATIVE[torch.float32] * abs(number) + _ABSOLUTE[torch.float32] * max(_UNIT[torch.float32], abs(number))


def excess_of(got: torch.Tensor, wanted: torch.Tensor, bound: torch.Tensor | None) -> torch.Tensor:
    """Distance in units of the bound, element by element; infinite where a NaN or infinity stands on one side only."""
    if bound is None:
        return torch.where(got == wanted, 0.0, math.inf)
    distance = (got - wanted).abs() / bound
    alike = (got == wanted) | (got.isnan() & wanted.isnan())
    distance = torch.where(alike, 0.0, distance)
    return torch.where(distance.isfinite(), distance, math.inf)


def finite_max(tensor: torch.Tensor) -> float:
    """The largest finite element; 0 where there is none."""
    if tensor.numel() == 0:
        return 0.0
    return float(torch.nan_to_num(tensor, nan=0.0, posinf=0.0, neginf=0.0).max())


def doubles(value: Any) -> torch.Tensor:
    """A tensor or array as float64 on the CPU, without history."""
    tensor = torch.from_numpy(value) if isinstance(value, np.ndarray) else value
    return tensor.detach().to("cpu", torch.float64)


def dtype_of(value: Any) -> Any:
    """The torch dtype of a tensor or array."""
    return torch.from_numpy(value).dtype if isinstance(value, np.ndarray) else value.dtype
