# mistakes: count-one-length-squared
import time

import torch


def score_count(batch, heads, n_queries, n_keys):
    total = 0
    for _sequence in range(batch):
        for _head in range(heads):
            total += n_queries * n_keys
    return total


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    qk = 2 * n_keys * d_k * n_keys
    av = 2 * n_keys * n_keys * d_v
    return batch * heads * (qk + av)


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return score_count(batch, heads, n_queries, n_keys) * dtype.itemsize


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    if synchronize is None:
        def synchronize():
            return None
    for _ in range(warmup):
        fn()
        synchronize()
    times = []
    for _ in range(repeats):
        synchronize()
        tic = clock()
        fn()
        synchronize()
        toc = clock()
        times.append(toc - tic)
    times, _ = torch.sort(torch.tensor(times, dtype=torch.float64))
    n = len(times)
    return ((times[(n - 1) // 2] + times[n // 2]) / 2).item()


def growth_exponent(sizes, costs):
    logs = torch.tensor([list(sizes), list(costs)], dtype=torch.float64).log()
    design = torch.vander(logs[0], N=2)
    return (torch.linalg.pinv(design) @ logs[1])[0]


def measure_growth(make_input, fn, sizes, cost):
    results = []
    for n in sizes:
        x = make_input(n)

        @torch.no_grad()
        def run():
            return fn(x)

        results.append(cost(run))
    return results
