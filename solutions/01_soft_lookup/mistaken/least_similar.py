# mistakes: lookup-worst-key
import numpy as np


def hard_lookup(query, keys, values):
    return values[min(range(len(keys)), key=lambda i: keys[i] @ query)]


def softmax(x, axis=-1):
    shifted = x - np.max(x, axis, keepdims=True)
    log_weights = shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))
    return np.exp(log_weights)


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    output = np.array([np.average(values, axis=0, weights=row) for row in weights])
    return output, weights
