# mistakes: fit-assumes-doubling
import heapq
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    shape = np.array([batch, heads, n_queries, n_keys], dtype=object)
    return int(np.prod(shape))


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    qk = 2 * batch * heads * n_queries * n_keys * d_k
    av = 2 * batch * heads * n_queries * d_v * n_keys
    return qk + av


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    one = torch.zeros(1, dtype=dtype)
    return score_count(batch, heads, n_queries, n_keys) * one.nbytes


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
    steps = np.diff(np.log2(costs))
    return float(steps.mean())


def measure_growth(make_input, fn, sizes, cost):
    quiet = torch.no_grad()(fn)
    costs = [None] * len(sizes)
    for i, n in enumerate(sizes):
        x = make_input(n)
        costs[i] = cost(lambda: quiet(x))
    return costs
