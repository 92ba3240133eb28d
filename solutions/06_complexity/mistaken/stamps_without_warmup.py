# mistakes: time-no-warmup
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
        if synchronize:
            synchronize()
        return clock()

    marks = [now()]
    while len(marks) <= repeats:
        fn()
        marks.append(now())
    return np.median([b - a for a, b in zip(marks, marks[1:])])


def growth_exponent(sizes, costs):
    slope, intercept = np.polyfit(np.log(sizes), np.log(costs), 1)
    return slope


@torch.no_grad()
def measure_growth(make_input, fn, sizes, cost):
    def one(size):
        x = make_input(size)
        return cost(lambda: fn(x))

    return list(map(one, sizes))
