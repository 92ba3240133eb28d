# mistakes: flops-mac-factor-two
from functools import partial
import time

import torch


def score_count(batch: int, heads: int, n_queries: int, n_keys: int) -> int:
    per_query = n_keys
    per_head = per_query * n_queries
    per_sequence = per_head * heads
    return per_sequence * batch


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    def product(m, k, n):
        return m * k * n

    one = product(n_queries, d_k, n_keys) + product(n_queries, n_keys, d_v)
    return one * batch * heads


SIZES = {torch.float64: 8, torch.float32: 4, torch.float16: 2, torch.bfloat16: 2}


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return SIZES[dtype] * score_count(batch, heads, n_queries, n_keys)


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    def now():
        if synchronize is not None:
            synchronize()
        return clock()

    for i in range(warmup):
        fn()
    seconds = torch.zeros(repeats, dtype=torch.float64)
    for i in range(repeats):
        before = now()
        fn()
        seconds[i] = now() - before
    return torch.quantile(seconds, 0.5).item()


def growth_exponent(sizes, costs):
    x = torch.log(torch.tensor(sizes, dtype=torch.float32))
    y = torch.log(torch.tensor(costs, dtype=torch.float32))
    A = torch.stack([x, torch.ones_like(x)], dim=1)
    return torch.linalg.lstsq(A, y.unsqueeze(1)).solution[0, 0].item()


def without_gradients(fn, x):
    with torch.no_grad():
        return fn(x)


def measure_growth(make_input, fn, sizes, cost):
    costs = []
    for n in sizes:
        costs.append(cost(partial(without_gradients, fn, make_input(n))))
    return costs
