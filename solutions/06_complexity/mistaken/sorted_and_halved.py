# mistakes: time-upper-median
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    total = 0
    for _sequence in range(batch):
        for _head in range(heads):
            total += n_queries * n_keys
    return total


def attention_flops(batch: int, heads: int, n_queries: int, n_keys: int, d_k: int, d_v: int) -> int:
    macs = score_count(batch, heads, n_queries, n_keys) * (d_k + d_v)
    return macs << 1


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    size = torch.tensor([], dtype=dtype).element_size()
    return batch * heads * n_queries * n_keys * size


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(repeats):
        if synchronize:
            synchronize()
        start = clock()
        fn()
        if synchronize:
            synchronize()
        times.append(clock() - start)
    times.sort()
    return times[len(times) // 2]


def growth_exponent(sizes, costs):
    x, y = np.log(sizes), np.log(costs)
    A = np.vstack([x, np.ones(len(x))]).T
    m, c = np.linalg.lstsq(A, y, rcond=None)[0]
    return float(m)


def measure_growth(make_input, fn, sizes, cost):
    def costs():
        for n in sizes:
            x = make_input(n)

            def call():
                with torch.set_grad_enabled(False):
                    return fn(x)

            yield cost(call)

    return [*costs()]
