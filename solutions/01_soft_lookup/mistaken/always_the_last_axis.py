# mistakes: softmax-axis-ignored
import collections

import numpy as np


def hard_lookup(query, keys, values):
    s = keys.dot(query)
    winners = np.where(s == s.max())[0]
    return values[winners[0]]


def softmax(x, axis=-1):
    if x.ndim == 1:
        e = np.exp(x - x.max())
        return e / e.sum()
    return np.stack([softmax(part) for part in x])


Found = collections.namedtuple("Found", ["output", "weights"])


def soft_lookup(queries, keys, values):
    shares = softmax(np.matmul(queries, keys.swapaxes(0, 1)), axis=-1)
    return Found(output=shares @ values, weights=shares)
