# mistakes: argument-changed-in-place
import numpy as np


def hard_lookup(query, keys, values):
    scores = np.einsum("d,nd->n", query, keys)
    return values[scores.argmax()]


def softmax(x, axis=-1):
    x -= x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    scores = queries.dot(keys.transpose())
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    total = e.sum(axis=1, keepdims=True)
    return e.dot(values) / total, e / total
