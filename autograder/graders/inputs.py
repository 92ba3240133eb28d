"""Inputs drawn from a seed: equal on every platform and version, exact in every floating dtype.

Numbers are integers / 2^k made from the raw bits of PCG64, whose stream NumPy keeps for ever. Each draw of a test has a
stream of its own, so adding one does not move the others.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import DTypeLike

PUBLIC = "public"  # the seed of everything a learner may see


@dataclass
class Make:
    """Draws the inputs of one test. Floating tensors have the test's dtype; everything is on the test's device."""

    seed: str
    dtype: torch.dtype
    device: str
    draws: int = 0
    magnified: float = 1.0  # times which every number is taken: right answers are right on larger inputs too

    def tensor(self, *shape: int, scale: float = 1.0, dtype: torch.dtype | None = None) -> torch.Tensor:
        """Multiples of 1/64 in [-2, 2), times `scale` (a power of two keeps them exact in bfloat16)."""
        return torch.from_numpy(self._numbers(shape, scale)).to(self.device, dtype or self.dtype)

    def array(self, *shape: int, scale: float = 1.0, dtype: DTypeLike | None = None) -> np.ndarray[Any, Any]:
        """The same numbers as a NumPy array, which knows neither devices nor bfloat16."""
        given = torch.empty(0, dtype=self.dtype).numpy().dtype if dtype is None else dtype
        return self._numbers(shape, scale).astype(given)

    def integers(self, low: int, high: int, *shape: int) -> torch.Tensor:
        """int64 in low ... high - 1."""
        return torch.from_numpy(self._integers(low, high, shape)).to(self.device)

    def booleans(self, *shape: int) -> torch.Tensor:
        """True and False, half and half."""
        return self.integers(0, 2, *shape).bool()

    def permutation(self, n: int) -> torch.Tensor:
        """A permutation of 0 ... n - 1 as int64 `(n,)`."""
        return torch.from_numpy(np.argsort(self._bits(n), kind="stable")).to(self.device)

    def _numbers(self, shape: tuple[int, ...], scale: float) -> np.ndarray[Any, np.dtype[np.float64]]:
        return self._integers(-128, 128, shape) * (scale * self.magnified / 64.0)

    def _integers(self, low: int, high: int, shape: tuple[int, ...]) -> np.ndarray:
        count = int(np.prod(shape, dtype=np.int64))
        return (self._bits(count) % np.uint64(high - low)).astype(np.int64).reshape(shape) + low

    def _bits(self, count: int) -> np.ndarray:
        self.draws += 1
        digest = hashlib.sha256(f"{self.seed}/{self.draws}".encode()).digest()
        generator = np.random.PCG64(int.from_bytes(digest[:16], "little"))
        return np.asarray(generator.random_raw(count), dtype=np.uint64)
