# mistakes: flops-counts-softmax
import heapq
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    shape = np.array([batch, heads, n_queries, n_keys], dtype=object)
    return int(np.prod(shape))


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    pairs = batch * heads * n_queries * n_keys
    matmuls = 2 * pairs * d_k + 2 * pairs * d_v
    softmax = 3 * pairs  # exp, sum, division
    return matmuls + softmax


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
    line = np.polynomial.Polynomial.fit(np.log(sizes), np.log(costs), deg=1).convert()
    return line.coef[1]


def measure_growth(make_input, fn, sizes, cost):
    results = []
    for n in sizes:
        x = make_input(n)

        @torch.no_grad()
        def run():
            return fn(x)

        results.append(cost(run))
    return results
