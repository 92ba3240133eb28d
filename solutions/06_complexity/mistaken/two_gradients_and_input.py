# mistakes: time-under-autograd, growth-input-inside
from bisect import insort
from functools import reduce
import operator
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    return reduce(operator.mul, [n_keys, n_queries, heads, batch], 1)


def attention_flops(batch: int, heads: int, n_queries: int, n_keys: int, d_k: int, d_v: int) -> int:
    macs = score_count(batch, heads, n_queries, n_keys) * (d_k + d_v)
    return macs << 1


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return score_count(batch, heads, n_queries, n_keys) * (torch.finfo(dtype).bits // 8)


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    done = 0
    while done < warmup:
        fn()
        done += 1
    ordered = []
    while len(ordered) < repeats:
        if synchronize:
            synchronize()
        begin = clock()
        fn()
        if synchronize:
            synchronize()
        insort(ordered, clock() - begin)
    if repeats % 2:
        return ordered[repeats // 2]
    return 0.5 * (ordered[repeats // 2 - 1] + ordered[repeats // 2])


def growth_exponent(sizes, costs):
    x, y = np.log(sizes), np.log(costs)
    A = np.vstack([x, np.ones(len(x))]).T
    m, c = np.linalg.lstsq(A, y, rcond=None)[0]
    return float(m)


def measure_growth(make_input, fn, sizes, cost):
    return [cost(lambda: fn(make_input(n))) for n in sizes]
