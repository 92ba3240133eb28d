# mistakes: lookup-keeps-axis-of-keys
import numpy as np


def hard_lookup(query, keys, values):
    s = np.inner(keys, query)
    return values[s == s.max()]


def softmax(x, axis=-1):
    rows = np.moveaxis(x, axis, -1)
    e = np.exp(rows - rows.max(axis=-1)[..., None])
    weights = e / e.sum(axis=-1)[..., None]
    return np.moveaxis(weights, -1, axis)


def soft_lookup(queries, keys, values):
    weights = softmax((keys @ queries.T).T, axis=1)
    return (values.T @ weights.T).T, weights
