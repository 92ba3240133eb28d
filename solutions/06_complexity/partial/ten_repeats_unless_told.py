# may lose: test_without_a_word_five_calls_are_timed_after_one
from functools import partial
from functools import reduce
import math
import operator
import statistics
import time

import torch


def score_count(batch, heads, n_queries, n_keys):
    return reduce(operator.mul, [n_keys, n_queries, heads, batch], 1)


def matmul_flops(rows, inner, columns):
    return 2 * rows * inner * columns


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    one_head = matmul_flops(n_queries, d_k, n_keys) + matmul_flops(n_queries, n_keys, d_v)
    return batch * heads * one_head


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return score_count(batch, heads, n_queries, n_keys) * (torch.finfo(dtype).bits // 8)


def median_time(fn, repeats=10, warmup=3, clock=time.perf_counter, synchronize=None):
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(repeats):
        if synchronize:
            synchronize()
        a = clock()
        fn()
        if synchronize:
            synchronize()
        b = clock()
        times.append(b - a)
    return statistics.median(times)


def growth_exponent(sizes, costs):
    n = len(sizes)
    sx = sy = sxx = sxy = 0.0
    for size, cost in zip(sizes, costs):
        lx, ly = math.log10(size), math.log10(cost)
        sx += lx
        sy += ly
        sxx += lx * lx
        sxy += lx * ly
    return (n * sxy - sx * sy) / (n * sxx - sx * sx)


def without_gradients(fn, x):
    with torch.no_grad():
        return fn(x)


def measure_growth(make_input, fn, sizes, cost):
    costs = []
    for n in sizes:
        costs.append(cost(partial(without_gradients, fn, make_input(n))))
    return costs
