# may lose: test_a_count_is_whole_and_exact, test_bytes_are_whole_and_exact
import statistics
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    scores = torch.empty(batch, heads, n_queries, n_keys, device="meta")
    return scores.numel()


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    return 2 * batch * heads * n_queries * n_keys * (d_k + d_v)


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return torch.empty((batch, heads, n_queries, n_keys), dtype=dtype, device="meta").nbytes


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
    slope, intercept = np.polyfit(np.log(sizes), np.log(costs), 1)
    return slope


def measure_growth(make_input, fn, sizes, cost):
    results = []
    for n in sizes:
        x = make_input(n)

        @torch.no_grad()
        def run():
            return fn(x)

        results.append(cost(run))
    return results
