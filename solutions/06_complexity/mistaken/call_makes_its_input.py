# mistakes: growth-input-inside
from bisect import insort
import math
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    shape = np.array([batch, heads, n_queries, n_keys], dtype=object)
    return int(np.prod(shape))


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    qk = 2 * batch * heads * n_queries * n_keys * d_k
    av = 2 * batch * heads * n_queries * d_v * n_keys
    return qk + av


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    one = torch.zeros(1, dtype=dtype)
    return score_count(batch, heads, n_queries, n_keys) * one.nbytes


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
    points = sorted((math.log2(s), math.log2(c)) for s, c in zip(sizes, costs))
    top = bottom = 0.0
    for i, (xi, yi) in enumerate(points):
        for xj, yj in points[:i]:
            top += (xi - xj) * (yi - yj)
            bottom += (xi - xj) ** 2
    return top / bottom


def measure_growth(make_input, fn, sizes, cost):
    costs = []
    for n in sizes:
        @torch.no_grad()
        def call():
            x = make_input(n)
            return fn(x)

        costs.append(cost(call))
    return costs
