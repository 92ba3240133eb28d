# accepted: statistics.linear_regression
import math
import statistics
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    total = 0
    for _sequence in range(batch):
        for _head in range(heads):
            total += n_queries * n_keys
    return total


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    s = score_count(batch, heads, n_queries, n_keys)
    multiplications = s * d_k + s * d_v
    additions = multiplications
    return multiplications + additions


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
    logs = [math.log(n) for n in sizes], [math.log(c) for c in costs]
    return statistics.linear_regression(*logs).slope


def measure_growth(make_input, fn, sizes, cost):
    def at(n):
        x = make_input(n)

        def call():
            with torch.inference_mode():
                fn(x)

        return cost(call)

    return [at(n) for n in sizes]
