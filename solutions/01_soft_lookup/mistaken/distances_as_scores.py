# mistakes: similarity-far-counts-as-good
import numpy as np


def hard_lookup(query, keys, values):
    scores = [float(sum(q * k for q, k in zip(query, key))) for key in keys]
    i = scores.index(max(scores))
    return values[i]


def softmax(x, axis=-1):
    y = np.array(x)
    y -= y.max(axis=axis, keepdims=True)
    np.exp(y, out=y)
    y /= y.sum(axis=axis, keepdims=True)
    return y


def soft_lookup(queries, keys, values):
    gaps = np.expand_dims(queries, 1) - np.expand_dims(keys, 0)
    scores = np.sqrt((gaps * gaps).sum(-1))
    weights = softmax(scores)
    return np.dot(weights, values), weights
