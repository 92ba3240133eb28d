# mistakes: fit-exponent-on-linear-axes
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
    slope, _ = np.polyfit(sizes, costs, deg=1)
    return float(slope)


class Call:
    def __init__(self, fn, x):
        self.fn = fn
        self.x = x

    def __call__(self):
        before = torch.is_grad_enabled()
        torch.set_grad_enabled(False)
        try:
            return self.fn(self.x)
        finally:
            torch.set_grad_enabled(before)


def measure_growth(make_input, fn, sizes, cost):
    costs = []
    for n in sizes:
        call = Call(fn, make_input(n))
        costs.append(cost(call))
    return costs
