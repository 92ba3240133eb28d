# mistakes: growth-late-binding
from statistics import median
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
    bits = batch * heads * n_queries * n_keys * torch.finfo(dtype).bits
    return bits // 8


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    [fn() for _ in range(warmup)]
    if synchronize is not None:
        synchronize()
    durations = []
    for _ in range(repeats):
        started = clock()
        result = fn()
        if synchronize is not None:
            synchronize()
        durations.append(clock() - started)
    return median(durations)


def growth_exponent(sizes, costs):
    x, y = np.log(sizes), np.log(costs)
    A = np.vstack([x, np.ones(len(x))]).T
    m, c = np.linalg.lstsq(A, y, rcond=None)[0]
    return float(m)


def measure_growth(make_input, fn, sizes, cost):
    fn = torch.no_grad()(fn)
    runs = []
    for n in sizes:
        x = make_input(n)
        runs.append(lambda: fn(x))
    return [cost(run) for run in runs]
