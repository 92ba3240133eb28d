# mistakes: lookup-last-of-equals
import numpy as np


def hard_lookup(query, keys, values):
    order = np.argsort(keys @ query, kind="stable")
    return values[order[-1]]


def softmax(x, axis=-1):
    slices = np.moveaxis(x, axis, 0)
    top = slices[0]
    total = np.ones_like(top)
    for current in slices[1:]:
        new_top = np.maximum(top, current)
        total = total * np.exp(top - new_top) + np.exp(current - new_top)
        top = new_top
    return np.moveaxis(np.exp(slices - top) / total, 0, axis)


def soft_lookup(queries, keys, values):
    scores = np.tensordot(queries, keys, axes=([1], [1]))
    w = softmax(scores, -1)
    return np.tensordot(w, values, axes=1), w
