# mistakes: flops-one-product-only
from bisect import insort
import math
import time

import torch


def score_count(batch, heads, n_queries, n_keys):
    return math.prod((batch, heads, n_queries, n_keys))


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    scores = batch * heads * n_queries * n_keys
    return scores * d_k * 2


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
    n = len(sizes)
    sx = sy = sxx = sxy = 0.0
    for size, cost in zip(sizes, costs):
        lx, ly = math.log10(size), math.log10(cost)
        sx += lx
        sy += ly
        sxx += lx * lx
        sxy += lx * ly
    return (n * sxy - sx * sy) / (n * sxx - sx * sx)


def measure_growth(make_input, fn, sizes, cost):
    quiet = torch.no_grad()(fn)
    costs = [None] * len(sizes)
    for i, n in enumerate(sizes):
        x = make_input(n)
        costs[i] = cost(lambda: quiet(x))
    return costs
