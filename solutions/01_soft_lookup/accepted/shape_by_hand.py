# accepted: the reduced shape written by hand
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
    shape = list(x.shape)
    shape[axis] = 1
    m = x.max(axis=axis).reshape(shape)
    e = np.exp(x - m)
    return e / e.sum(axis=axis).reshape(shape)


def soft_lookup(queries, keys, values):
    outputs, all_weights = [], []
    for query in queries:
        w = softmax(keys @ query)
        outputs.append(w @ values)
        all_weights.append(w)
    return np.stack(outputs), np.stack(all_weights)
