# mistakes: memory-forgets-heads-or-batch
from bisect import insort
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    # every query with every key
    return n_queries * n_keys


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    return 2 * batch * heads * n_queries * n_keys * (d_k + d_v)


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    size = torch.tensor([], dtype=dtype).element_size()
    return batch * heads * n_queries * n_keys * size


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    done = 0
    while done < warmup:
        fn()
        done += 1
    ordered = []
    while len(ordered) < repeats:
        if synchronize:
            synchronize()
        begin = clock()
        fn()
        if synchronize:
            synchronize()
        insort(ordered, clock() - begin)
    if repeats % 2:
        return ordered[repeats // 2]
    return 0.5 * (ordered[repeats // 2 - 1] + ordered[repeats // 2])


def growth_exponent(sizes, costs):
    x = np.log2(np.asarray(sizes, dtype=float))
    y = np.log2(np.asarray(costs, dtype=float))
    return np.cov(x, y)[0, 1] / np.var(x, ddof=1)


class Call:
    def __init__(self, fn, x):
        self.fn = fn
        self.x = x

    def __call__(self):
        before = torch.is_grad_enabled()
        torch.set_grad_enabled(False)
        try:
            return self.fn(self.x)
        finally:
            torch.set_grad_enabled(before)


def measure_growth(make_input, fn, sizes, cost):
    costs = []
    for n in sizes:
        call = Call(fn, make_input(n))
        costs.append(cost(call))
    return costs
