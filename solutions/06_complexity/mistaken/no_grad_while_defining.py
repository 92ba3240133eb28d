# mistakes: time-under-autograd
import time

import torch


def score_count(batch, heads, n_queries, n_keys):
    total = 0
    for _sequence in range(batch):
        for _head in range(heads):
            total += n_queries * n_keys
    return total


def attention_flops(batch: int, heads: int, n_queries: int, n_keys: int, d_k: int, d_v: int) -> int:
    macs = score_count(batch, heads, n_queries, n_keys) * (d_k + d_v)
    return macs << 1


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    size = torch.tensor([], dtype=dtype).element_size()
    return batch * heads * n_queries * n_keys * size


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
    x = torch.tensor(sizes).double().log()
    y = torch.tensor(costs).double().log()
    x = x - x.mean()
    return (x @ y / (x @ x)).item()


def measure_growth(make_input, fn, sizes, cost):
    out = []
    for n in sizes:
        with torch.no_grad():
            x = make_input(n)
            call = lambda: fn(x)
        out.append(cost(call))
    return out
