# mistakes: fit-two-points
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
    ratio_of_costs = costs[-1] / costs[0]
    ratio_of_sizes = sizes[-1] / sizes[0]
    return math.log2(ratio_of_costs) / math.log2(ratio_of_sizes)


@torch.no_grad()
def measure_growth(make_input, fn, sizes, cost):
    def one(size):
        x = make_input(size)
        return cost(lambda: fn(x))

    return list(map(one, sizes))
