# mistakes: lookup-soft-is-hard
import numpy as np


def hard_lookup(query, keys, values):
    similarity = (keys * query).sum(axis=1)
    return np.take(values, np.argmax(similarity), axis=0)


def softmax(x, axis=-1):
    shape = list(x.shape)
    shape[axis] = 1
    m = x.max(axis=axis).reshape(shape)
    e = np.exp(x - m)
    return e / e.sum(axis=axis).reshape(shape)


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    output = np.stack([values[row.argmax()] for row in weights])
    return output, weights
