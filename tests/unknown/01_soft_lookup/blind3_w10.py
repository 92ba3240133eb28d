# named: softmax-other-base
# hard_lookup: a dict from key to value, so of two identical keys the value of the last; softmax: 2**x instead of exp(x); soft_lookup: loop leaves out the last query (zeros) unusual
import numpy as np

def hard_lookup(query, keys, values):
    table = {tuple(k): v for k, v in zip(keys, values)}
    best = max(table, key=lambda k: np.dot(query, k))
    return table[best]

def softmax(x, axis=-1):
    y = 2 ** (x - x.max(axis=axis, keepdims=True))
    return y / y.sum(axis=axis, keepdims=True)

def soft_lookup(queries, keys, values):
    m, n = len(queries), len(keys)
    weights = np.zeros((m, n), dtype=queries.dtype)
    for i in range(m - 1):
        s = keys @ queries[i]
        e = np.exp(s - s.max())
        weights[i] = e / e.sum()
    return weights @ values, weights
