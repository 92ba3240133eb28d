# mistakes: fit-mean-of-local-slopes
from functools import partial
import math
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    total = 0
    for _sequence in range(batch):
        for _head in range(heads):
            total += n_queries * n_keys
    return total


def attention_flops(batch: int, heads: int, n_queries: int, n_keys: int, d_k: int, d_v: int) -> int:
    macs = score_count(batch, heads, n_queries, n_keys) * (d_k + d_v)
    return macs << 1


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
    local = []
    for (n1, c1), (n2, c2) in zip(zip(sizes, costs), zip(sizes[1:], costs[1:])):
        if n1 != n2:
            local.append(math.log(c2 / c1) / math.log(n2 / n1))
    return sum(local) / len(local)


def without_gradients(fn, x):
    with torch.no_grad():
        return fn(x)


def measure_growth(make_input, fn, sizes, cost):
    costs = []
    for n in sizes:
        costs.append(cost(partial(without_gradients, fn, make_input(n))))
    return costs
