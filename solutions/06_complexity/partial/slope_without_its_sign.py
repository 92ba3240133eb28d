# may lose: test_any_power_is_found
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    total = 0
    for _sequence in range(batch):
        for _head in range(heads):
            total += n_queries * n_keys
    return total


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    qk = 2 * batch * heads * n_queries * n_keys * d_k
    av = 2 * batch * heads * n_queries * d_v * n_keys
    return qk + av


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    size = torch.tensor([], dtype=dtype).element_size()
    return batch * heads * n_queries * n_keys * size


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    sync = synchronize or (lambda: None)

    def once():
        sync()
        start = clock()
        fn()
        sync()
        return clock() - start

    for _ in range(warmup):
        fn()
    s = sorted(once() for _ in range(repeats))
    half = repeats // 2
    return (s[half] + s[~half]) / 2


def growth_exponent(sizes, costs):
    return abs(np.polyfit(np.log(sizes), np.log(costs), 1)[0])


def measure_growth(make_input, fn, sizes, cost):
    def at(n):
        x = make_input(n)

        def call():
            with torch.inference_mode():
                fn(x)

        return cost(call)

    return [at(n) for n in sizes]
