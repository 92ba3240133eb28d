# mistakes: time-no-cuda-sync
import statistics
import time

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
        t = clock()
        fn()
        times.append(clock() - t)
    return statistics.median(times)


def growth_exponent(sizes, costs):
    x = torch.tensor(sizes).double().log()
    y = torch.tensor(costs).double().log()
    x = x - x.mean()
    return (x @ y / (x @ x)).item()


def measure_growth(make_input, fn, sizes, cost):
    with torch.no_grad():
        costs = []
        for n in sizes:
            x = make_input(n)
            costs.append(cost(lambda: fn(x)))
        return costs
