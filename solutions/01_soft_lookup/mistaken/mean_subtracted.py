# mistakes: softmax-subtracts-something-else
import functools

import numpy as np


def hard_lookup(query, keys, values):
    better = lambda a, b: b if b[0] > a[0] else a
    return functools.reduce(better, zip(keys @ query, values))[1]


def softmax(x, axis=-1):
    centred = x - x.mean(axis, keepdims=True)
    e = np.exp(centred)
    return e / e.sum(axis, keepdims=True)


def soft_lookup(queries, keys, values):
    scores = np.tensordot(queries, keys, axes=([1], [1]))
    w = softmax(scores, -1)
    return np.tensordot(w, values, axes=1), w
