# mistakes: output-ignores-weights
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
    first = np.moveaxis(x, axis, 0)
    e = np.exp(first - first.max(0))
    return np.moveaxis(e / e.sum(0), 0, axis)


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    output = np.stack([values.mean(axis=0) for _ in weights])
    return output, weights
