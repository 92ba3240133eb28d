# mistakes: time-mean-not-median
from functools import reduce
import operator
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    return reduce(operator.mul, [n_keys, n_queries, heads, batch], 1)


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    return 2 * batch * heads * n_queries * n_keys * (d_k + d_v)


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return score_count(batch, heads, n_queries, n_keys) * (torch.finfo(dtype).bits // 8)


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    def sample():
        if synchronize is not None:
            synchronize()
        a = clock()
        fn()
        if synchronize is not None:
            synchronize()
        return clock() - a

    for _ in range(warmup):
        fn()
    return torch.tensor([sample() for _ in range(repeats)], dtype=torch.float64).mean().item()


def growth_exponent(sizes, costs):
    x = np.log2(np.asarray(sizes, dtype=float))
    y = np.log2(np.asarray(costs, dtype=float))
    return np.cov(x, y)[0, 1] / np.var(x, ddof=1)


def measure_growth(make_input, fn, sizes, cost):
    def at(n):
        x = make_input(n)

        def call():
            with torch.inference_mode():
                fn(x)

        return cost(call)

    return [at(n) for n in sizes]
