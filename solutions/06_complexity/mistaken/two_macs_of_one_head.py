# mistakes: flops-mac-factor-two, memory-forgets-heads-or-batch
import time

import numpy as np
import torch


def score_count(batch: int, heads: int, n_queries: int, n_keys: int) -> int:
    per_query = n_keys
    per_head = per_query * n_queries
    per_sequence = per_head * heads
    return per_sequence * batch


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    qk = n_queries * n_keys * d_k
    av = n_queries * n_keys * d_v
    return batch * (qk + av)


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    one = torch.zeros(1, dtype=dtype)
    return score_count(batch, heads, n_queries, n_keys) * one.nbytes


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
