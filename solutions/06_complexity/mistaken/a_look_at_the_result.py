# mistakes: growth-runs-outside
import time

import numpy as np
import torch


def score_count(batch: int, heads: int, n_queries: int, n_keys: int) -> int:
    per_query = n_keys
    per_head = per_query * n_queries
    per_sequence = per_head * heads
    return per_sequence * batch


def matmul_flops(rows, inner, columns):
    return 2 * rows * inner * columns


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    one_head = matmul_flops(n_queries, d_k, n_keys) + matmul_flops(n_queries, n_keys, d_v)
    return batch * heads * one_head


SIZES = {torch.float64: 8, torch.float32: 4, torch.float16: 2, torch.bfloat16: 2}


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return SIZES[dtype] * score_count(batch, heads, n_queries, n_keys)


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    def now():
        if synchronize is not None:
            synchronize()
        return clock()

    for i in range(warmup):
        fn()
    seconds = torch.zeros(repeats, dtype=torch.float64)
    for i in range(repeats):
        before = now()
        fn()
        seconds[i] = now() - before
    return torch.quantile(seconds, 0.5).item()


def growth_exponent(sizes, costs):
    x = np.log2(np.asarray(sizes, dtype=float))
    y = np.log2(np.asarray(costs, dtype=float))
    return np.cov(x, y)[0, 1] / np.var(x, ddof=1)


def measure_growth(make_input, fn, sizes, cost):
    costs = []
    for n in sizes:
        x = make_input(n)
        with torch.no_grad():
            y = fn(x)
            assert y is not None
            costs.append(cost(lambda: fn(x)))
    return costs
