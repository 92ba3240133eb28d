# mistakes: time-start-read-once
import math
import statistics
import time

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
    for _ in range(warmup):
        fn()
    if synchronize is not None:
        synchronize()
    start = clock()
    samples = []
    for _ in range(repeats):
        fn()
        if synchronize is not None:
            synchronize()
        samples.append(clock() - start)
    return statistics.median(samples)


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
