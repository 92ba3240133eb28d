# mistakes: flops-factor-four
import math
import statistics
import time

import torch


def score_count(batch, heads, n_queries, n_keys):
    return batch * heads * n_queries * n_keys


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    return 4 * n_queries * n_keys * (d_k + d_v) * heads * batch


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    bits = batch * heads * n_queries * n_keys * torch.finfo(dtype).bits
    return bits // 8


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
    logs = [math.log(n) for n in sizes], [math.log(c) for c in costs]
    return statistics.linear_regression(*logs).slope


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
