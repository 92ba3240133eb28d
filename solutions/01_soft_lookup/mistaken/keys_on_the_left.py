# mistakes: score-query-key-swapped
import numpy as np


def hard_lookup(query, keys, values):
    ranked = sorted(range(len(keys)), key=lambda i: -np.dot(keys[i], query))
    return values[ranked[0]]


def softmax(x, axis=-1):
    shifted = x - x.max(axis=axis, keepdims=True)
    e = np.exp(shifted, where=shifted > -80, out=np.zeros_like(shifted))
    return np.divide(e, e.sum(axis=axis, keepdims=True))


def soft_lookup(queries, keys, values):
    scores = np.einsum("nd,md->nm", keys, queries)
    weights = softmax(scores, axis=-1)
    return weights.dot(values), weights
