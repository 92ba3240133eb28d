# mistakes: flops-causal-convention
import statistics
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    full = batch * heads * n_queries * n_keys
    return full // 2  # causal


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    flops = 0
    for m, k, n in [(n_queries, d_k, n_keys), (n_queries, n_keys, d_v)]:
        flops += 2 * m * k * n
    return flops * heads * batch


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    size = torch.tensor([], dtype=dtype).element_size()
    return batch * heads * n_queries * n_keys * size


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(repeats):
        if synchronize is not None:
            synchronize()
        t0 = clock()
        fn()
        if synchronize is not None:
            synchronize()
        t1 = clock()
        times.append(t1 - t0)
    return statistics.median(times)


def growth_exponent(sizes, costs):
    x, y = np.log(sizes), np.log(costs)
    A = np.vstack([x, np.ones(len(x))]).T
    m, c = np.linalg.lstsq(A, y, rcond=None)[0]
    return float(m)


def measure_growth(make_input, fn, sizes, cost):
    with torch.no_grad():
        costs = []
        for n in sizes:
            x = make_input(n)
            costs.append(cost(lambda: fn(x)))
        return costs
