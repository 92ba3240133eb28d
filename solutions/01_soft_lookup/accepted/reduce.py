# accepted: ufunc.reduce and functools.reduce, queries in blocks
import functools

import numpy as np


def hard_lookup(query, keys, values):
    better = lambda a, b: b if b[0] > a[0] else a
    return functools.reduce(better, zip(keys @ query, values))[1]


def softmax(x, axis=-1):
    e = np.exp(np.subtract(x, np.maximum.reduce(x, axis=axis, keepdims=True)))
    return np.true_divide(e, np.add.reduce(e, axis=axis, keepdims=True))


def soft_lookup(queries, keys, values):
    blocks = []
    for start in range(0, len(queries), 2):
        block = queries[start : start + 2]
        blocks.append(softmax(block @ keys.T, axis=-1))
    weights = np.concatenate(blocks, axis=0)
    return np.vstack([w @ values for w in weights]), weights
