# accepted: torch.linalg.lstsq in float32, torch.quantile
import math
import time

import torch


def score_count(batch, heads, n_queries, n_keys):
    return math.prod((batch, heads, n_queries, n_keys))


def matmul_flops(rows, inner, columns):
    return 2 * rows * inner * columns


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    one_head = matmul_flops(n_queries, d_k, n_keys) + matmul_flops(n_queries, n_keys, d_v)
    return batch * heads * one_head


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return score_count(batch, heads, n_queries, n_keys) * (torch.finfo(dtype).bits // 8)


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


def measure_growth(make_input, fn, sizes, cost):
    def at(n):
        x = make_input(n)

        def call():
            with torch.inference_mode():
                fn(x)

        return cost(call)

    return [at(n) for n in sizes]
