# mistakes: time-warmup-counted
import statistics
import time

import torch


def score_count(batch, heads, n_queries, n_keys):
    return batch * heads * n_queries * n_keys


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    s = score_count(batch, heads, n_queries, n_keys)
    multiplications = s * d_k + s * d_v
    additions = multiplications
    return multiplications + additions


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    bits = batch * heads * n_queries * n_keys * torch.finfo(dtype).bits
    return bits // 8


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    sync = synchronize or (lambda: None)
    durations = []
    for _ in range(warmup + repeats):
        sync()
        start = clock()
        fn()
        sync()
        durations.append(clock() - start)
    return statistics.median(durations)


def growth_exponent(sizes, costs):
    x = torch.log(torch.tensor(sizes, dtype=torch.float32))
    y = torch.log(torch.tensor(costs, dtype=torch.float32))
    A = torch.stack([x, torch.ones_like(x)], dim=1)
    return torch.linalg.lstsq(A, y.unsqueeze(1)).solution[0, 0].item()


def measure_growth(make_input, fn, sizes, cost):
    def costs():
        for n in sizes:
            x = make_input(n)

            def call():
                with torch.set_grad_enabled(False):
                    return fn(x)

            yield cost(call)

    return [*costs()]
