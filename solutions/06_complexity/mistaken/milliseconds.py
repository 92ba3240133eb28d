# mistakes: time-in-milliseconds
from functools import partial
import math
import statistics
import time

import torch


def score_count(batch, heads, n_queries, n_keys):
    return batch * heads * n_queries * n_keys


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    s = score_count(batch, heads, n_queries, n_keys)
    multiplications = s * d_k + s * d_v
    additions = multiplications
    return multiplications + additions


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    bits = batch * heads * n_queries * n_keys * torch.finfo(dtype).bits
    return bits // 8


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    for _ in range(warmup):
        fn()
    ms = []
    for _ in range(repeats):
        if synchronize is not None:
            synchronize()
        start = clock()
        fn()
        if synchronize is not None:
            synchronize()
        ms.append(1e3 * (clock() - start))
    return statistics.median(ms)


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


def without_gradients(fn, x):
    with torch.no_grad():
        return fn(x)


def measure_growth(make_input, fn, sizes, cost):
    costs = []
    for n in sizes:
        costs.append(cost(partial(without_gradients, fn, make_input(n))))
    return costs
