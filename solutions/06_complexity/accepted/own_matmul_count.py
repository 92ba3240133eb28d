# accepted: a helper that counts one matrix product
import heapq
import time

import torch


def score_count(batch, heads, n_queries, n_keys):
    return batch * heads * n_queries * n_keys


def matmul_flops(rows, inner, columns):
    return 2 * rows * inner * columns


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    one_head = matmul_flops(n_queries, d_k, n_keys) + matmul_flops(n_queries, n_keys, d_v)
    return batch * heads * one_head


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return score_count(batch, heads, n_queries, n_keys) * dtype.itemsize


def read(clock, synchronize):
    if synchronize is not None:
        synchronize()
    return clock()


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    for _ in range(warmup):
        fn()
    heap = []
    last = read(clock, synchronize)
    for _ in range(repeats):
        fn()
        new = read(clock, synchronize)
        heapq.heappush(heap, new - last)
        last = new
    lower = heapq.nsmallest(repeats // 2 + 1, heap)
    return lower[-1] if repeats % 2 == 1 else (lower[-1] + lower[-2]) / 2


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
