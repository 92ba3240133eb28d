# accepted: timeit.repeat with the given clock, einsum for the sums
from typing import Any, Callable
import statistics
import time
import timeit

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    return batch * heads * n_queries * n_keys


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    qk = 2 * batch * heads * n_queries * n_keys * d_k
    av = 2 * batch * heads * n_queries * d_v * n_keys
    return qk + av


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return score_count(batch, heads, n_queries, n_keys) * (torch.finfo(dtype).bits // 8)


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    def timer():
        if synchronize is not None:
            synchronize()
        return clock()

    for _ in range(warmup):
        fn()
    return statistics.median(timeit.repeat(fn, timer=timer, repeat=repeats, number=1))


def growth_exponent(sizes, costs):
    pts = np.log(np.array(list(zip(sizes, costs)), dtype=np.float64))
    pts -= pts.mean(axis=0)
    return np.einsum("i,i->", pts[:, 0], pts[:, 1]) / np.einsum("i,i->", pts[:, 0], pts[:, 0])


def measure_growth(make_input: Callable[[int], Any], fn, sizes, cost) -> list[float]:
    def bind(x):
        def call():
            with torch.no_grad():
                y = fn(x)
            return y

        return call

    return [cost(bind(make_input(n))) for n in sizes]
