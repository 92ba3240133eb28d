# mistakes: fit-one-divisor-less
import statistics
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    return batch * heads * n_queries * n_keys


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    s = score_count(batch, heads, n_queries, n_keys)
    multiplications = s * d_k + s * d_v
    additions = multiplications
    return multiplications + additions


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    bits = batch * heads * n_queries * n_keys * torch.finfo(dtype).bits
    return bits // 8


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
    lx, ly = np.log(sizes), np.log(costs)
    return np.cov(lx, ly)[0][1] / lx.var()


def measure_growth(make_input, fn, sizes, cost):
    def costs():
        for n in sizes:
            x = make_input(n)

            def call():
                with torch.set_grad_enabled(False):
                    return fn(x)

            yield cost(call)

    return [*costs()]
