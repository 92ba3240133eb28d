# mistakes: growth-input-inside
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
    sync = synchronize or (lambda: None)

    def once():
        sync()
        start = clock()
        fn()
        sync()
        return clock() - start

    for _ in range(warmup):
        fn()
    s = sorted(once() for _ in range(repeats))
    half = repeats // 2
    return (s[half] + s[~half]) / 2


def growth_exponent(sizes, costs):
    line = np.polynomial.Polynomial.fit(np.log(sizes), np.log(costs), deg=1).convert()
    return line.coef[1]


def measure_growth(make_input, fn, sizes, cost):
    with torch.no_grad():
        return [cost(lambda: fn(make_input(n))) for n in sizes]
