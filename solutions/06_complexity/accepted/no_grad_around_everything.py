# accepted: gradients off around the whole function
import math
import statistics
import time

import torch


def score_count(batch: int, heads: int, n_queries: int, n_keys: int) -> int:
    per_query = n_keys
    per_head = per_query * n_queries
    per_sequence = per_head * heads
    return per_sequence * batch


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    s = score_count(batch, heads, n_queries, n_keys)
    multiplications = s * d_k + s * d_v
    additions = multiplications
    return multiplications + additions


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return score_count(batch, heads, n_queries, n_keys) * dtype.itemsize


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(repeats):
        if synchronize is not None:
            synchronize()
        t0 = clock()
        fn()
        if synchronize is not None:
            synchronize()
        t1 = clock()
        times.append(t1 - t0)
    return statistics.median(times)


def growth_exponent(sizes, costs):
    points = sorted((math.log2(s), math.log2(c)) for s, c in zip(sizes, costs))
    top = bottom = 0.0
    for i, (xi, yi) in enumerate(points):
        for xj, yj in points[:i]:
            top += (xi - xj) * (yi - yj)
            bottom += (xi - xj) ** 2
    return top / bottom


def measure_growth(make_input, fn, sizes, cost):
    with torch.no_grad():
        costs = []
        for n in sizes:
            x = make_input(n)
            costs.append(cost(lambda: fn(x)))
        return costs
