# mistakes: growth-first-size-only
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
    for _ in range(warmup):
        fn()
    if synchronize:
        synchronize()
    stamps = [clock()]
    for _ in range(repeats):
        fn()
        if synchronize:
            synchronize()
        stamps.append(clock())
    return np.median(np.diff(stamps))


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
    costs = []
    for n in sizes:
        x = make_input(n)
        with torch.no_grad():
            costs.append(cost(lambda: fn(x)))
        return costs
