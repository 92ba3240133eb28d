# mistakes: fit-factor-of-doubling
from bisect import insort
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
    p = np.polyfit(np.log2(sizes), np.log2(costs), 1)[0]
    return 2.0 ** p


def measure_growth(make_input, fn, sizes, cost):
    def at(n):
        x = make_input(n)

        def call():
            with torch.inference_mode():
                fn(x)

        return cost(call)

    return [at(n) for n in sizes]
