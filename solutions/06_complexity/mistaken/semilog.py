# mistakes: fit-log-of-one-side
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
    if synchronize is None:
        def synchronize():
            return None
    for _ in range(warmup):
        fn()
        synchronize()
    times = []
    for _ in range(repeats):
        synchronize()
        tic = clock()
        fn()
        synchronize()
        toc = clock()
        times.append(toc - tic)
    times, _ = torch.sort(torch.tensor(times, dtype=torch.float64))
    n = len(times)
    return ((times[(n - 1) // 2] + times[n // 2]) / 2).item()


def growth_exponent(sizes, costs):
    return np.polyfit(sizes, np.log(costs), 1)[0]


def measure_growth(make_input, fn, sizes, cost):
    quiet = torch.no_grad()(fn)
    costs = [None] * len(sizes)
    for i, n in enumerate(sizes):
        x = make_input(n)
        costs[i] = cost(lambda: quiet(x))
    return costs
