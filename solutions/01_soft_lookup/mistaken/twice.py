# mistakes: softmax-applied-twice
import numpy as np


def hard_lookup(query, keys, values):
    scores = query.reshape(1, -1) @ keys.T  # (1, n)
    return values[scores.argmax(axis=1)][0]


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
    scores = queries @ keys.T
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    scores = e / e.sum(axis=1, keepdims=True)
    weights = softmax(scores)
    return weights @ values, weights
