# mistakes: score-key-not-transposed
import numpy as np


def hard_lookup(query, keys, values):
    s = keys.dot(query)
    winners = np.where(s == s.max())[0]
    return values[winners[0]]


def softmax(x, axis=-1):
    precise = x.astype(np.float64)
    e = np.exp(precise - precise.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)


def soft_lookup(queries, keys, values):
    weights = softmax(np.dot(queries, keys), axis=1)
    return np.dot(weights, values), weights
