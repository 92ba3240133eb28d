# mistakes: bytes-bits-not-bytes
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
    width = torch.finfo(dtype).bits
    return n_queries * n_keys * heads * batch * width


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
