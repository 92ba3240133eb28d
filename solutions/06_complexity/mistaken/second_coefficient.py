# mistakes: fit-intercept-not-slope
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
    sync = synchronize or (lambda: None)

    def once():
        sync()
        start = clock()
        fn()
        sync()
        return clock() - start

    for _ in range(warmup):
        fn()
    s = sorted(once() for _ in range(repeats))
    half = repeats // 2
    return (s[half] + s[~half]) / 2


def growth_exponent(sizes, costs):
    coefficients = np.polyfit(np.log(sizes), np.log(costs), 1)
    return coefficients[1]


def measure_growth(make_input, fn, sizes, cost):
    with torch.no_grad():
        costs = []
        for n in sizes:
            x = make_input(n)
            costs.append(cost(lambda: fn(x)))
        return costs
