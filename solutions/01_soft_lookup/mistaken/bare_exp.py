# mistakes: softmax-not-normalised
import collections

import numpy as np


def hard_lookup(query, keys, values):
    chosen = np.zeros(len(keys), dtype=values.dtype)
    chosen[np.argmax(np.inner(keys, query))] = 1
    return chosen @ values


def softmax(x, axis=-1):
    return np.exp(x)


Found = collections.namedtuple("Found", ["output", "weights"])


def soft_lookup(queries, keys, values):
    shares = softmax(np.matmul(queries, keys.swapaxes(0, 1)), axis=-1)
    return Found(output=shares @ values, weights=shares)
