# mistakes: output-and-weights-swapped
import numpy as np


def hard_lookup(query, keys, values):
    best = int(np.tensordot(keys, query, axes=1).argmax())
    return values[best].copy()


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    w = softmax(np.inner(queries, keys))
    return w, np.dot(w, values)
