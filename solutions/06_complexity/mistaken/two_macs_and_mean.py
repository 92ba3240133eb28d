# mistakes: flops-mac-factor-two, time-mean-not-median
import time

import torch


def score_count(batch, heads, n_queries, n_keys):
    return batch * heads * n_queries * n_keys


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    return batch * heads * n_queries * n_keys * (d_k + d_v)


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    bits = batch * heads * n_queries * n_keys * torch.finfo(dtype).bits
    return bits // 8


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    for _ in range(warmup):
        fn()
    total = 0.0
    for _ in range(repeats):
        if synchronize is not None:
            synchronize()
        start = clock()
        fn()
        if synchronize is not None:
            synchronize()
        total += clock() - start
    return total / repeats


def growth_exponent(sizes, costs):
    x = torch.tensor(sizes).double().log()
    y = torch.tensor(costs).double().log()
    x = x - x.mean()
    return (x @ y / (x @ x)).item()


def measure_growth(make_input, fn, sizes, cost):
    results = []
    for n in sizes:
        x = make_input(n)

        @torch.no_grad()
        def run():
            return fn(x)

        results.append(cost(run))
    return results
