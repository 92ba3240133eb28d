# mistakes: lookup-one-query-only
import numpy as np


def hard_lookup(query, keys, values):
    scores = [float(sum(q * k for q, k in zip(query, key))) for key in keys]
    i = scores.index(max(scores))
    return values[i]


def softmax(x, axis=-1):
    precise = x.astype(np.float64)
    e = np.exp(precise - precise.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)


def soft_lookup(queries, keys, values):
    for q in queries:
        weights = softmax(keys @ q)
        output = weights @ values
    return output, weights
