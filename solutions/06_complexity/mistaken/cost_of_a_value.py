# mistakes: growth-result-in-place-of-call, time-under-autograd
import math
import statistics
import time


def score_count(batch, heads, n_queries, n_keys):
    return batch * heads * n_queries * n_keys


def attention_flops(batch, heads, n_queries, n_keys, d_k, d_v):
    q_k = n_queries * n_keys * d_k * 2
    a_v = n_queries * n_keys * d_v * 2
    return batch * heads * (q_k + a_v)


def score_bytes(batch, heads, n_queries, n_keys, dtype):
    return score_count(batch, heads, n_queries, n_keys) * dtype.itemsize


def median_time(fn, repeats=5, warmup=1, clock=time.perf_counter, synchronize=None):
    for _ in range(warmup):
        fn()
    durations = []
    while len(durations) < repeats:
        if synchronize:
            synchronize()
        began = clock()
        fn()
        if synchronize:
            synchronize()
        durations.append(clock() - began)
    return statistics.median(durations)


def growth_exponent(sizes, costs):
    return statistics.linear_regression([math.log(s) for s in sizes], [math.log(c) for c in costs]).slope


def measure_growth(make_input, fn, sizes, cost):
    return [cost(fn(make_input(n))) for n in sizes]
