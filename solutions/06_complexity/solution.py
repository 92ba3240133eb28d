"""What n² costs: counted by hand, measured honestly, read from a slope."""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch


def score_count(batch: int, heads: int, n_queries: int, n_keys: int) -> int:
    """Number of scores that attention computes: one for each pair of a query and a key, in every head and sequence."""
    pairs = n_queries * n_keys                               # scores in one matrix
    matrices = batch * heads                                 # one for each head of each sequence
    return matrices * pairs


def attention_flops(batch: int, heads: int, n_queries: int, n_keys: int, d_k: int, d_v: int) -> int:
    """Floating-point operations of the two matrix products: two for each multiply-add."""
    scores = score_count(batch, heads, n_queries, n_keys)
    for_scores = scores * d_k                                # multiply-adds of Q @ K.T: d_k for each score
    for_output = scores * d_v                                # multiply-adds of weights @ V: d_v for each weight
    return 2 * (for_scores + for_output)


def score_bytes(batch: int, heads: int, n_queries: int, n_keys: int, dtype: torch.dtype) -> int:
    """Memory that all scores take up in a dtype."""
    scores = score_count(batch, heads, n_queries, n_keys)
    return scores * dtype.itemsize


def median_time(
    fn: Callable[[], object],
    repeats: int = 5,
    warmup: int = 1,
    clock: Callable[[], float] = time.perf_counter,
    synchronize: Callable[[], object] | None = None,
) -> float:
    """Seconds that one call of fn takes: the median of some calls, after some that do not count."""
    wait = (lambda: None) if synchronize is None else synchronize
    for _ in range(warmup):
        fn()
    samples = []                                             # seconds, one for each repeat
    for _ in range(repeats):
        wait()                                               # the call before has ended
        start = clock()
        fn()
        wait()                                               # and so has this one
        end = clock()
        samples.append(end - start)
    ordered = sorted(samples)
    middle = len(ordered) // 2
    if len(ordered) % 2 == 0:
        return (ordered[middle - 1] + ordered[middle]) / 2   # the middle two
    return ordered[middle]


def growth_exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The exponent p of costs that grow like size ** p: the least-squares slope of log cost over log size."""
    x = [math.log(size) for size in sizes]
    y = [math.log(cost) for cost in costs]
    mean_x = sum(x) / len(x)
    mean_y = sum(y) / len(y)
    together = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    spread = sum((a - mean_x) ** 2 for a in x)
    return together / spread


def measure_growth(
    make_input: Callable[[int], Any],
    fn: Callable[[Any], object],
    sizes: Sequence[int],
    cost: Callable[[Callable[[], object]], float],
) -> list[float]:
    """The cost of fn at each size, where cost(call) measures call(); making the input is no part of it."""
    costs = []
    for size in sizes:
        x = make_input(size)                                 # outside of what is measured

        def call(x: Any = x) -> object:
            with torch.no_grad():                            # as in use: nothing is kept for a backward pass
                return fn(x)

        costs.append(cost(call))
    return costs
