# mistakes: weights-rounded, score-scaled-unasked
import functools

import numpy as np


def hard_lookup(query, keys, values):
    better = lambda a, b: b if b[0] > a[0] else a
    return functools.reduce(better, zip(keys @ query, values))[1]


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
    scores = np.einsum("md,nd->mn", queries, keys) / keys.shape[1] ** 0.5
    weights = np.round(softmax(scores), 2)
    return weights @ values, weights
