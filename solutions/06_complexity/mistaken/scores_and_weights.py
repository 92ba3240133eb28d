# mistakes: bytes-scores-and-weights
from statistics import median
import time

import numpy as np
import torch


def score_count(batch: int, heads: int, n_queries: int, n_keys: int) -> int:
    per_query = n_keys
    per_head = per_query * n_queries
    per_sequence = per_head * heads
    return per_sequence * batch


def matmul_flops(rows, inner, columns):
    return 2 * rows * inner * columns


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    one_head = matmul_flops(n_queries, d_k, n_keys) + matmul_flops(n_queries, n_keys, d_v)
    return batch * heads * one_head


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    scores = score_count(batch, heads, n_queries, n_keys) * dtype.itemsize
    weights = scores
    return scores + weights


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    [fn() for _ in range(warmup)]
    if synchronize is not None:
        synchronize()
    durations = []
    for _ in range(repeats):
        started = clock()
        result = fn()
        if synchronize is not None:
            synchronize()
        durations.append(clock() - started)
    return median(durations)


def growth_exponent(sizes, costs):
    x = np.log2(np.asarray(sizes, dtype=float))
    y = np.log2(np.asarray(costs, dtype=float))
    return np.cov(x, y)[0, 1] / np.var(x, ddof=1)


def measure_growth(make_input, fn, sizes, cost):
    results = []
    for n in sizes:
        x = make_input(n)

        @torch.no_grad()
        def run():
            return fn(x)

        results.append(cost(run))
    return results
