# accepted: a tiny number added to a sum that is at least 1, nanmax
import numpy as np


def hard_lookup(query, keys, values):
    s = keys.dot(query)
    winners = np.where(s == s.max())[0]
    return values[winners[0]]


def softmax(x, axis=-1):
    z = x - np.nanmax(x, axis=axis, keepdims=True)
    numerator = np.exp(z)
    denominator = np.sum(numerator, axis=axis, keepdims=True) + 1e-9
    return numerator / denominator


def soft_lookup(queries, keys, values):
    weights = softmax(np.inner(queries, keys))
    return [np.matmul(weights, values), weights]
