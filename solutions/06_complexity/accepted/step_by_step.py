# accepted: one name per step, shifts for the factor of two
from bisect import insort
import time

import numpy as np
import torch


def score_count(batch: int, heads: int, n_queries: int, n_keys: int) -> int:
    per_query = n_keys
    per_head = per_query * n_queries
    per_sequence = per_head * heads
    return per_sequence * batch


def attention_flops(batch: int, heads: int, n_queries: int, n_keys: int, d_k: int, d_v: int) -> int:
    macs = score_count(batch, heads, n_queries, n_keys) * (d_k + d_v)
    return macs << 1


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    bits = batch * heads * n_queries * n_keys * torch.finfo(dtype).bits
    return bits // 8


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
    slope, intercept = np.polyfit(np.log(sizes), np.log(costs), 1)
    return slope


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
