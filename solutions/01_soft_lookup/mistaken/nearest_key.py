# mistakes: similarity-by-distance
import numpy as np


def hard_lookup(query, keys, values):
    nearest, least = 0, np.inf
    for i, key in enumerate(keys):
        distance = ((query - key) ** 2).sum()
        if distance < least:
            nearest, least = i, distance
    return values[nearest]


def softmax(x, axis=-1):
    shifted = x - np.max(x, axis, keepdims=True)
    log_weights = shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))
    return np.exp(log_weights)


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    return weights @ values, weights
