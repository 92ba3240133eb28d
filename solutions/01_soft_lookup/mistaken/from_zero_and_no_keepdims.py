# mistakes: lookup-starts-from-zero, softmax-missing-keepdims
import numpy as np


def hard_lookup(query, keys, values):
    scores = [float(query @ key) for key in keys]
    top, at = 0.0, 0
    for i, score in enumerate(scores):
        if score > top:
            top, at = score, i
    return values[at]


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis)


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    output = np.array([np.average(values, axis=0, weights=row) for row in weights])
    return output, weights
