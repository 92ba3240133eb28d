# accepted: exp of the shifted numbers over their sum, in two lines
import numpy as np


def hard_lookup(query, keys, values):
    scores = query.reshape(1, -1) @ keys.T  # (1, n)
    return values[scores.argmax(axis=1)][0]


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    return weights @ values, weights
