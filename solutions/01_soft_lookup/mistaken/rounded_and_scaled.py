# mistakes: weights-rounded, score-scaled-unasked
import functools

import numpy as np


def hard_lookup(query, keys, values):
    better = lambda a, b: b if b[0] > a[0] else a
    return functools.reduce(better, zip(keys @ query, values))[1]


def softmax(x, axis=-1):
    z = x - np.nanmax(x, axis=axis, keepdims=True)
    numerator = np.exp(z)
    denominator = np.sum(numerator, axis=axis, keepdims=True) + 1e-9
    return numerator / denominator


def soft_lookup(queries, keys, values):
    scores = np.einsum("md,nd->mn", queries, keys) / keys.shape[1] ** 0.5
    weights = np.round(softmax(scores), 2)
    return weights @ values, weights
