# mistakes: score-scaled-unasked
import numpy as np


def hard_lookup(query, keys, values):
    answer, top = values[-1], keys[-1] @ query
    for i in reversed(range(len(keys) - 1)):
        if (score := keys[i] @ query) >= top:
            answer, top = values[i], score
    return answer


def softmax(x, axis=-1):
    slices = np.moveaxis(x, axis, 0)
    top = slices[0]
    total = np.ones_like(top)
    for current in slices[1:]:
        new_top = np.maximum(top, current)
        total = total * np.exp(top - new_top) + np.exp(current - new_top)
        top = new_top
    return np.moveaxis(np.exp(slices - top) / total, 0, axis)


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T / np.sqrt(queries.shape[1]))
    return weights @ values, weights
