# mistakes: memory-forgets-heads-or-batch
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
    matrix = n_queries * n_keys * torch.zeros(1, dtype=dtype).element_size()
    total = 0
    for _ in range(batch):
        total += matrix
    return total


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
    x = torch.tensor(sizes).double().log()
    y = torch.tensor(costs).double().log()
    x = x - x.mean()
    return (x @ y / (x @ x)).item()


def measure_growth(make_input, fn, sizes, cost):
    quiet = torch.no_grad()(fn)
    costs = [None] * len(sizes)
    for i, n in enumerate(sizes):
        x = make_input(n)
        costs[i] = cost(lambda: quiet(x))
    return costs
