# mistakes: flops-one-addition-fewer
import math
import time

import torch


def score_count(batch: int, heads: int, n_queries: int, n_keys: int) -> int:
    per_query = n_keys
    per_head = per_query * n_queries
    per_sequence = per_head * heads
    return per_sequence * batch


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    qk = n_queries * n_keys * (2 * d_k - 1)
    av = n_queries * d_v * (2 * n_keys - 1)
    return batch * heads * (qk + av)


SIZES = {torch.float64: 8, torch.float32: 4, torch.float16: 2, torch.bfloat16: 2}


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return SIZES[dtype] * score_count(batch, heads, n_queries, n_keys)


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
    points = sorted((math.log2(s), math.log2(c)) for s, c in zip(sizes, costs))
    top = bottom = 0.0
    for i, (xi, yi) in enumerate(points):
        for xj, yj in points[:i]:
            top += (xi - xj) * (yi - yj)
            bottom += (xi - xj) ** 2
    return top / bottom


def measure_growth(make_input, fn, sizes, cost):
    with torch.no_grad():
        costs = []
        for n in sizes:
            x = make_input(n)
            costs.append(cost(lambda: fn(x)))
        return costs
