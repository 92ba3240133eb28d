# mistakes: growth-all-inputs-first
import heapq
import math
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    return math.prod((batch, heads, n_queries, n_keys))


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    flops = 0
    for m, k, n in [(n_queries, d_k, n_keys), (n_queries, n_keys, d_v)]:
        flops += 2 * m * k * n
    return flops * heads * batch


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
    slope, intercept = np.polyfit(np.log(sizes), np.log(costs), 1)
    return slope


def measure_growth(make_input, fn, sizes, cost):
    inputs = [make_input(n) for n in sizes]
    costs = []
    for x in inputs:
        with torch.no_grad():
            costs.append(cost(lambda: fn(x)))
    return costs
