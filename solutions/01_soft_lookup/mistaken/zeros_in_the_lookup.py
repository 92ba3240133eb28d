# mistakes: result-left-in-float64
import numpy as np


def hard_lookup(query, keys, values):
    best_score = -np.inf
    best_value = None
    for key, value in zip(keys, values):
        score = np.dot(query, key)
        if score > best_score:
            best_score = score
            best_value = value
    return best_value


def softmax(x, axis=-1):
    log2_e = 1.4426950408889634
    powers = np.exp2((x - np.max(x, axis=axis, keepdims=True)) * log2_e)
    return powers / powers.sum(axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    weights = np.zeros((len(queries), len(keys)))
    output = np.zeros((len(queries), values.shape[1]))
    for i, q in enumerate(queries):
        weights[i] = softmax(keys @ q)
        output[i] = weights[i] @ values
    return output, weights
