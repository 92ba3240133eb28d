# mistakes: weights-rounded
import functools

import numpy as np


def hard_lookup(query, keys, values):
    better = lambda a, b: b if b[0] > a[0] else a
    return functools.reduce(better, zip(keys @ query, values))[1]


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    weights = e / e.sum(axis=axis, keepdims=True)
    return weights.round(3)


def soft_lookup(queries, keys, values):
    scores = np.tensordot(queries, keys, axes=([1], [1]))
    w = softmax(scores, -1)
    return np.tensordot(w, values, axes=1), w
