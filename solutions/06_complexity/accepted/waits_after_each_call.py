# accepted: waits after each call only, as nothing is queued before
from statistics import median
import time

import torch


def score_count(batch, heads, n_queries, n_keys):
    return batch * heads * n_queries * n_keys


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    qk = 2 * batch * heads * n_queries * n_keys * d_k
    av = 2 * batch * heads * n_queries * d_v * n_keys
    return qk + av


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    one = torch.zeros(1, dtype=dtype)
    return score_count(batch, heads, n_queries, n_keys) * one.nbytes


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    [fn() for _ in range(warmup)]
    if synchronize is not None:
        synchronize()
    durations = []
    for _ in range(repeats):
        started = clock()
        result = fn()
        if synchronize is not None:
            synchronize()
        durations.append(clock() - started)
    return median(durations)


def growth_exponent(sizes, costs):
    x = torch.tensor(sizes).double().log()
    y = torch.tensor(costs).double().log()
    x = x - x.mean()
    return (x @ y / (x @ x)).item()


def measure_growth(make_input, fn, sizes, cost):
    def costs():
        for n in sizes:
            x = make_input(n)

            def call():
                with torch.set_grad_enabled(False):
                    return fn(x)

            yield cost(call)

    return [*costs()]
