# mistakes: memory-forgets-heads-or-batch, bytes-four-hard-coded
from functools import partial
import time

import torch


def score_count(batch, heads, n_queries, n_keys):
    return batch * heads * n_queries * n_keys


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    qk = 2 * batch * heads * n_queries * n_keys * d_k
    av = 2 * batch * heads * n_queries * d_v * n_keys
    return qk + av


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return 4 * n_queries * n_keys


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
    logs = torch.tensor([list(sizes), list(costs)], dtype=torch.float64).log()
    design = torch.vander(logs[0], N=2)
    return (torch.linalg.pinv(design) @ logs[1])[0]


def without_gradients(fn, x):
    with torch.no_grad():
        return fn(x)


def measure_growth(make_input, fn, sizes, cost):
    costs = []
    for n in sizes:
        costs.append(cost(partial(without_gradients, fn, make_input(n))))
    return costs
