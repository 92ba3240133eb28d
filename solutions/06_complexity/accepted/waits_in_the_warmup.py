# accepted: waits in the warm-up as well, polynomial of NumPy
import math
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    return math.prod((batch, heads, n_queries, n_keys))


def matmul_flops(rows, inner, columns):
    return 2 * rows * inner * columns


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    one_head = matmul_flops(n_queries, d_k, n_keys) + matmul_flops(n_queries, n_keys, d_v)
    return batch * heads * one_head


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    bits = batch * heads * n_queries * n_keys * torch.finfo(dtype).bits
    return bits // 8


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
    line = np.polynomial.Polynomial.fit(np.log(sizes), np.log(costs), deg=1).convert()
    return line.coef[1]


def measure_growth(make_input, fn, sizes, cost):
    results = []
    for n in sizes:
        x = make_input(n)

        @torch.no_grad()
        def run():
            return fn(x)

        results.append(cost(run))
    return results
