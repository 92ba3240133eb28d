# mistakes: time-unsorted-middle
import math
import time

import torch


def score_count(batch, heads, n_queries, n_keys):
    return math.prod((batch, heads, n_queries, n_keys))


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    flops = 0
    for m, k, n in [(n_queries, d_k, n_keys), (n_queries, n_keys, d_v)]:
        flops += 2 * m * k * n
    return flops * heads * batch


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return score_count(batch, heads, n_queries, n_keys) * dtype.itemsize


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
    mid = repeats // 2
    if repeats % 2:
        return times[mid]
    return (times[mid] + times[mid - 1]) / 2


def growth_exponent(sizes, costs):
    logs = torch.tensor([list(sizes), list(costs)], dtype=torch.float64).log()
    design = torch.vander(logs[0], N=2)
    return (torch.linalg.pinv(design) @ logs[1])[0]


@torch.no_grad()
def measure_growth(make_input, fn, sizes, cost):
    def one(size):
        x = make_input(size)
        return cost(lambda: fn(x))

    return list(map(one, sizes))
