# mistakes: growth-pairs-with-sizes
from functools import reduce
import math
import operator
import statistics
import time

import torch


def score_count(batch, heads, n_queries, n_keys):
    return reduce(operator.mul, [n_keys, n_queries, heads, batch], 1)


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    return 2 * batch * heads * n_queries * n_keys * (d_k + d_v)


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return score_count(batch, heads, n_queries, n_keys) * (torch.finfo(dtype).bits // 8)


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
    logs = [math.log(n) for n in sizes], [math.log(c) for c in costs]
    return statistics.linear_regression(*logs).slope


def measure_growth(make_input, fn, sizes, cost):
    table = {}
    for n in sizes:
        x = make_input(n)
        with torch.inference_mode():
            table[n] = cost(lambda: fn(x))
    return table
