# mistakes: time-no-cuda-sync, time-upper-median
import math
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    return math.prod((batch, heads, n_queries, n_keys))


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
        start = clock()
        fn()
        times.append(clock() - start)
    return sorted(times)[repeats // 2]


def growth_exponent(sizes, costs):
    line = np.polynomial.Polynomial.fit(np.log(sizes), np.log(costs), deg=1).convert()
    return line.coef[1]


def measure_growth(make_input, fn, sizes, cost):
    with torch.no_grad():
        costs = []
        for n in sizes:
            x = make_input(n)
            costs.append(cost(lambda: fn(x)))
        return costs
