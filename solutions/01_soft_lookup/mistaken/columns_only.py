# mistakes: softmax-axis-ignored
import collections

import numpy as np


def hard_lookup(query, keys, values):
    ranked = sorted(range(len(keys)), key=lambda i: -np.dot(keys[i], query))
    return values[ranked[0]]


def softmax(x, axis=-1):
    e = np.exp(x - x.max(0))
    return e / e.sum(0)


Found = collections.namedtuple("Found", ["output", "weights"])


def soft_lookup(queries, keys, values):
    shares = softmax(np.matmul(queries, keys.swapaxes(0, 1)), axis=-1)
    return Found(output=shares @ values, weights=shares)
