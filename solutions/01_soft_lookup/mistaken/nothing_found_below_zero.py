# mistakes: lookup-starts-from-zero
import numpy as np


def hard_lookup(query, keys, values):
    found = None
    top = 0.0
    for key, value in zip(keys, values):
        if key @ query > top:
            top = key @ query
            found = value
    return found


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    columns = softmax(keys @ queries.T, axis=0)  # (n, m): a query in each column
    return columns.T @ values, columns.T
