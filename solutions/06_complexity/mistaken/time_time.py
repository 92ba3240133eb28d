# mistakes: time-other-clock
import statistics
import time

import numpy as np
import torch


def score_count(batch, heads, n_queries, n_keys):
    shape = np.array([batch, heads, n_queries, n_keys], dtype=object)
    return int(np.prod(shape))


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    return 2 * batch * heads * n_queries * n_keys * (d_k + d_v)


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    one = torch.zeros(1, dtype=dtype)
    return score_count(batch, heads, n_queries, n_keys) * one.nbytes


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(repeats):
        if synchronize is not None:
            synchronize()
        t0 = time.time()
        fn()
        if synchronize is not None:
            synchronize()
        times.append(time.time() - t0)
    return statistics.median(times)


def growth_exponent(sizes, costs):
    x = torch.log(torch.tensor(sizes, dtype=torch.float32))
    y = torch.log(torch.tensor(costs, dtype=torch.float32))
    A = torch.stack([x, torch.ones_like(x)], dim=1)
    return torch.linalg.lstsq(A, y.unsqueeze(1)).solution[0, 0].item()


def measure_growth(make_input, fn, sizes, cost):
    quiet = torch.no_grad()(fn)
    costs = [None] * len(sizes)
    for i, n in enumerate(sizes):
        x = make_input(n)
        costs[i] = cost(lambda: quiet(x))
    return costs
