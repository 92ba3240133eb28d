# mistakes: argument-changed-in-place
import numpy as np


def hard_lookup(query, keys, values):
    scores = [float(sum(q * k for q, k in zip(query, key))) for key in keys]
    i = scores.index(max(scores))
    return values[i]


def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    x[...] = np.exp(x - top)
    x /= x.sum(axis=axis, keepdims=True)
    return x


def soft_lookup(queries, keys, values):
    columns = softmax(keys @ queries.T, axis=0)  # (n, m): a query in each column
    return columns.T @ values, columns.T
