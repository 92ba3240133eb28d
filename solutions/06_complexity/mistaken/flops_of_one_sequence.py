# mistakes: memory-forgets-heads-or-batch
from statistics import median
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    return batch * heads * n_queries * n_keys


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    per_head = 0
    per_head += 2 * n_queries * n_keys * d_k   # Q K^T
    per_head += 2 * n_queries * n_keys * d_v   # A V
    return heads * per_head


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
    line = np.polynomial.Polynomial.fit(np.log(sizes), np.log(costs), deg=1).convert()
    return line.coef[1]


@torch.no_grad()
def measure_growth(make_input, fn, sizes, cost):
    def one(size):
        x = make_input(size)
        return cost(lambda: fn(x))

    return list(map(one, sizes))
