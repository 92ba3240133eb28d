# accepted: a table of readings, percentile of NumPy
from typing import Any, Callable
import time

import numpy as np
import torch


def score_count(batch: int, heads: int, n_queries: int, n_keys: int) -> int:
    per_query = n_keys
    per_head = per_query * n_queries
    per_sequence = per_head * heads
    return per_sequence * batch


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    flops = 0
    for m, k, n in [(n_queries, d_k, n_keys), (n_queries, n_keys, d_v)]:
        flops += 2 * m * k * n
    return flops * heads * batch


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    size = torch.tensor([], dtype=dtype).element_size()
    return batch * heads * n_queries * n_keys * size


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    for _ in range(warmup):
        fn()
    marks = np.empty((repeats, 2))
    for row in marks:
        for column, work in enumerate((lambda: None, fn)):
            work()
            if synchronize is not None:
                synchronize()
            row[column] = clock()
    return np.percentile(marks[:, 1] - marks[:, 0], 50)


def growth_exponent(sizes, costs):
    x = torch.log(torch.tensor(sizes, dtype=torch.float32))
    y = torch.log(torch.tensor(costs, dtype=torch.float32))
    A = torch.stack([x, torch.ones_like(x)], dim=1)
    return torch.linalg.lstsq(A, y.unsqueeze(1)).solution[0, 0].item()


def measure_growth(make_input: Callable[[int], Any], fn, sizes, cost) -> list[float]:
    def bind(x):
        def call():
            with torch.no_grad():
                y = fn(x)
            return y

        return call

    return [cost(bind(make_input(n))) for n in sizes]
