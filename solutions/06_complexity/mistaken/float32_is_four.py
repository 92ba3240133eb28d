# mistakes: bytes-four-hard-coded
from functools import partial
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    return batch * heads * n_queries * n_keys


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    s = score_count(batch, heads, n_queries, n_keys)
    multiplications = s * d_k + s * d_v
    additions = multiplications
    return multiplications + additions


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    bytes_per_number = 4
    return bytes_per_number * batch * heads * n_queries * n_keys


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
    x, y = np.log(sizes), np.log(costs)
    A = np.vstack([x, np.ones(len(x))]).T
    m, c = np.linalg.lstsq(A, y, rcond=None)[0]
    return float(m)


def without_gradients(fn, x):
    with torch.no_grad():
        return fn(x)


def measure_growth(make_input, fn, sizes, cost):
    costs = []
    for n in sizes:
        costs.append(cost(partial(without_gradients, fn, make_input(n))))
    return costs
