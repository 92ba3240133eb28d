# mistakes: lookup-one-query-only
import numpy as np


def hard_lookup(query, keys, values):
    scores = [float(sum(q * k for q, k in zip(query, key))) for key in keys]
    i = scores.index(max(scores))
    return values[i]


def softmax(x, axis=-1):
    log2_e = 1.4426950408889634
    powers = np.exp2((x - np.max(x, axis=axis, keepdims=True)) * log2_e)
    return powers / powers.sum(axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    for q in queries:
        weights = softmax(keys @ q)
        output = weights @ values
    return output, weights
