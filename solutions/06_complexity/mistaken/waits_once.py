# mistakes: time-no-cuda-sync
from functools import partial
import math
import statistics
import time

import torch


def score_count(batch, heads, n_queries, n_keys):
    total = 0
    for _sequence in range(batch):
        for _head in range(heads):
            total += n_queries * n_keys
    return total


def attention_flops(batch: int, heads: int, n_queries: int, n_keys: int, d_k: int, d_v: int) -> int:
    macs = score_count(batch, heads, n_queries, n_keys) * (d_k + d_v)
    return macs << 1


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    size = torch.tensor([], dtype=dtype).element_size()
    return batch * heads * n_queries * n_keys * size


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    for _ in range(warmup):
        fn()
    if synchronize is not None:
        synchronize()
    samples = []
    for _ in range(repeats):
        start = clock()
        fn()
        end = clock()
        samples.append(end - start)
    if synchronize is not None:
        synchronize()
    return statistics.median(samples)


def growth_exponent(sizes, costs):
    points = sorted((math.log2(s), math.log2(c)) for s, c in zip(sizes, costs))
    top = bottom = 0.0
    for i, (xi, yi) in enumerate(points):
        for xj, yj in points[:i]:
            top += (xi - xj) * (yi - yj)
            bottom += (xi - xj) ** 2
    return top / bottom


def without_gradients(fn, x):
    with torch.no_grad():
        return fn(x)


def measure_growth(make_input, fn, sizes, cost):
    costs = []
    for n in sizes:
        costs.append(cost(partial(without_gradients, fn, make_input(n))))
    return costs
