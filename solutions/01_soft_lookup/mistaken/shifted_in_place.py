# mistakes: argument-changed-in-place
import numpy as np


def hard_lookup(query, keys, values):
    scores = np.einsum("d,nd->n", query, keys)
    return values[scores.argmax()]


def softmax(x, axis=-1):
    x -= x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    columns = softmax(keys @ queries.T, axis=0)  # (n, m): a query in each column
    return columns.T @ values, columns.T
