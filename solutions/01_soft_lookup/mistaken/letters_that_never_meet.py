# mistakes: einsum-independent-sum
import functools

import numpy as np


def hard_lookup(query, keys, values):
    better = lambda a, b: b if b[0] > a[0] else a
    return functools.reduce(better, zip(keys @ query, values))[1]


def softmax(x, axis=-1):
    y = np.array(x)
    y -= y.max(axis=axis, keepdims=True)
    np.exp(y, out=y)
    y /= y.sum(axis=axis, keepdims=True)
    return y


def soft_lookup(queries, keys, values):
    w = softmax(np.einsum("qd,kd->qk", queries, keys))
    return np.einsum("qk,ld->qd", w, values), w
