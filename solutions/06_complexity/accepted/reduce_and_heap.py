# accepted: functools.reduce, a heap, all pairs of points
from functools import reduce
import heapq
import math
import operator
import time

import torch


def score_count(batch, heads, n_queries, n_keys):
    return reduce(operator.mul, [n_keys, n_queries, heads, batch], 1)


def attention_flops(batch: int, heads: int, n_queries: int, n_keys: int, d_k: int, d_v: int) -> int:
    macs = score_count(batch, heads, n_queries, n_keys) * (d_k + d_v)
    return macs << 1


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return score_count(batch, heads, n_queries, n_keys) * dtype.itemsize


def read(clock, synchronize):
    if synchronize is not None:
        synchronize()
    return clock()


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    for _ in range(warmup):
        fn()
    heap = []
    last = read(clock, synchronize)
    for _ in range(repeats):
        fn()
        new = read(clock, synchronize)
        heapq.heappush(heap, new - last)
        last = new
    lower = heapq.nsmallest(repeats // 2 + 1, heap)
    return lower[-1] if repeats % 2 == 1 else (lower[-1] + lower[-2]) / 2


def growth_exponent(sizes, costs):
    points = sorted((math.log2(s), math.log2(c)) for s, c in zip(sizes, costs))
    top = bottom = 0.0
    for i, (xi, yi) in enumerate(points):
        for xj, yj in points[:i]:
            top += (xi - xj) * (yi - yj)
            bottom += (xi - xj) ** 2
    return top / bottom


def measure_growth(make_input, fn, sizes, cost):
    quiet = torch.no_grad()(fn)
    costs = [None] * len(sizes)
    for i, n in enumerate(sizes):
        x = make_input(n)
        costs[i] = cost(lambda: quiet(x))
    return costs
