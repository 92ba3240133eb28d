# accepted: NumPy for the median and the fit, stamps between calls
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
    size = torch.tensor([], dtype=dtype).element_size()
    return batch * heads * n_queries * n_keys * size


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
    slope, intercept = np.polyfit(np.log(sizes), np.log(costs), 1)
    return slope


def measure_growth(make_input, fn, sizes, cost):
    with torch.no_grad():
        costs = []
        for n in sizes:
            x = make_input(n)
            costs.append(cost(lambda: fn(x)))
        return costs
