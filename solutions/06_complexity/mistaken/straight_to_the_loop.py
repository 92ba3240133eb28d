# mistakes: time-no-warmup
import statistics
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
    samples = []
    for _ in range(repeats):
        if synchronize is not None:
            synchronize()
        start = clock()
        fn()
        if synchronize is not None:
            synchronize()
        samples.append(clock() - start)
    return statistics.median(samples)


def growth_exponent(sizes, costs):
    x, y = np.log(sizes), np.log(costs)
    A = np.vstack([x, np.ones(len(x))]).T
    m, c = np.linalg.lstsq(A, y, rcond=None)[0]
    return float(m)


def measure_growth(make_input, fn, sizes, cost):
    quiet = torch.no_grad()(fn)
    costs = [None] * len(sizes)
    for i, n in enumerate(sizes):
        x = make_input(n)
        costs[i] = cost(lambda: quiet(x))
    return costs
