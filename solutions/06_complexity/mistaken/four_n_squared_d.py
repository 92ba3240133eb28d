# mistakes: flops-one-width-for-both
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
    return 4 * batch * heads * n_queries * n_keys * d_k


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    size = torch.tensor([], dtype=dtype).element_size()
    return batch * heads * n_queries * n_keys * size


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    all_times = []
    for _ in range(warmup + repeats):
        if synchronize is not None:
            synchronize()
        start = clock()
        fn()
        if synchronize is not None:
            synchronize()
        all_times.append(clock() - start)
    kept = all_times[warmup:]
    return float(np.median(kept))


def growth_exponent(sizes, costs):
    x = np.log2(np.asarray(sizes, dtype=float))
    y = np.log2(np.asarray(costs, dtype=float))
    return np.cov(x, y)[0, 1] / np.var(x, ddof=1)


@torch.no_grad()
def measure_growth(make_input, fn, sizes, cost):
    def one(size):
        x = make_input(size)
        return cost(lambda: fn(x))

    return list(map(one, sizes))
