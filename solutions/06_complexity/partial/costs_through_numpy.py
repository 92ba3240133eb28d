# may lose: test_costs_are_passed_on_as_they_are
import math
import statistics
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    return math.prod((batch, heads, n_queries, n_keys))


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    return 2 * batch * heads * n_queries * n_keys * (d_k + d_v)


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return score_count(batch, heads, n_queries, n_keys) * dtype.itemsize


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    def now():
        if synchronize is not None:
            synchronize()
        return clock()

    for i in range(warmup):
        fn()
    seconds = torch.zeros(repeats, dtype=torch.float64)
    for i in range(repeats):
        before = now()
        fn()
        seconds[i] = now() - before
    return torch.quantile(seconds, 0.5).item()


def growth_exponent(sizes, costs):
    logs = [math.log(n) for n in sizes], [math.log(c) for c in costs]
    return statistics.linear_regression(*logs).slope


def measure_growth(make_input, fn, sizes, cost):
    measured = np.zeros(len(sizes))
    for i, n in enumerate(sizes):
        x = make_input(n)
        with torch.no_grad():
            measured[i] = cost(lambda: fn(x))
    return measured.tolist()
