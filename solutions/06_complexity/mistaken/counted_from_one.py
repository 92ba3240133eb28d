# mistakes: time-middle-two-one-too-high
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
    one = torch.zeros(1, dtype=dtype)
    return score_count(batch, heads, n_queries, n_keys) * one.nbytes


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
    times = sorted(times)
    if repeats % 2 == 1:
        return times[repeats // 2]
    upper = repeats // 2 + 1 if repeats > 2 else repeats // 2
    return (times[repeats // 2] + times[upper]) / 2


def growth_exponent(sizes, costs):
    x = torch.log(torch.tensor(sizes, dtype=torch.float32))
    y = torch.log(torch.tensor(costs, dtype=torch.float32))
    A = torch.stack([x, torch.ones_like(x)], dim=1)
    return torch.linalg.lstsq(A, y.unsqueeze(1)).solution[0, 0].item()


def measure_growth(make_input, fn, sizes, cost):
    with torch.no_grad():
        costs = []
        for n in sizes:
            x = make_input(n)
            costs.append(cost(lambda: fn(x)))
        return costs
