# mistakes: lookup-soft-is-hard
import numpy as np


def hard_lookup(query, keys, values):
    similarity = (keys * query).sum(axis=1)
    return np.take(values, np.argmax(similarity), axis=0)


def softmax(x, axis=-1):
    z = x - np.nanmax(x, axis=axis, keepdims=True)
    numerator = np.exp(z)
    denominator = np.sum(numerator, axis=axis, keepdims=True) + 1e-9
    return numerator / denominator


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    output = np.stack([values[row.argmax()] for row in weights])
    return output, weights
