# mistakes: softmax-axis-put-back-last
import numpy as np


def hard_lookup(query, keys, values):
    order = np.argsort(-(keys @ query), kind="stable")
    return values[order[0]]


def softmax(x, axis=-1):
    m = x.max(axis=axis)
    e = np.exp(x - np.expand_dims(m, -1))
    s = e.sum(axis=axis)
    return e / np.expand_dims(s, -1)


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    output = np.array([np.average(values, axis=0, weights=row) for row in weights])
    return output, weights
