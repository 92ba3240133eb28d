# mistakes: bytes-in-larger-units
import math
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    shape = np.array([batch, heads, n_queries, n_keys], dtype=object)
    return int(np.prod(shape))


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    qk = 2 * batch * heads * n_queries * n_keys * d_k
    av = 2 * batch * heads * n_queries * d_v * n_keys
    return qk + av


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    mib = 2**20
    return batch * heads * n_queries * n_keys * dtype.itemsize / mib


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
    n = len(sizes)
    sx = sy = sxx = sxy = 0.0
    for size, cost in zip(sizes, costs):
        lx, ly = math.log10(size), math.log10(cost)
        sx += lx
        sy += ly
        sxx += lx * lx
        sxy += lx * ly
    return (n * sxy - sx * sy) / (n * sxx - sx * sx)


def measure_growth(make_input, fn, sizes, cost):
    def costs():
        for n in sizes:
            x = make_input(n)

            def call():
                with torch.set_grad_enabled(False):
                    return fn(x)

            yield cost(call)

    return [*costs()]
