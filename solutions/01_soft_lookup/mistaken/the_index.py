# mistakes: lookup-returns-other
import collections

import numpy as np


def hard_lookup(query, keys, values):
    scores = np.einsum("nd,d->n", keys, query)
    return scores.argmax()


def softmax(x, axis=-1):
    y = np.array(x)
    y -= y.max(axis=axis, keepdims=True)
    np.exp(y, out=y)
    y /= y.sum(axis=axis, keepdims=True)
    return y


Found = collections.namedtuple("Found", ["output", "weights"])


def soft_lookup(queries, keys, values):
    shares = softmax(np.matmul(queries, keys.swapaxes(0, 1)), axis=-1)
    return Found(output=shares @ values, weights=shares)
