# mistakes: bytes-dtype-left-out
from bisect import insort
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
    shape = (batch, heads, n_queries, n_keys)
    total = 1
    for size in shape:
        total = total * size
    return total


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
    logs = [math.log(n) for n in sizes], [math.log(c) for c in costs]
    return statistics.linear_regression(*logs).slope


@torch.no_grad()
def measure_growth(make_input, fn, sizes, cost):
    def one(size):
        x = make_input(size)
        return cost(lambda: fn(x))

    return list(map(one, sizes))
