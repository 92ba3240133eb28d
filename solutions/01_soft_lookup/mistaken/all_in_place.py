# mistakes: argument-changed-in-place
import numpy as np


def hard_lookup(query, keys, values):
    scores = [float(sum(q * k for q, k in zip(query, key))) for key in keys]
    i = scores.index(max(scores))
    return values[i]


def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    x[...] = np.exp(x - top)
    x /= x.sum(axis=axis, keepdims=True)
    return x


def soft_lookup(queries, keys, values):
    weights = softmax(np.inner(queries, keys))
    return [np.matmul(weights, values), weights]
