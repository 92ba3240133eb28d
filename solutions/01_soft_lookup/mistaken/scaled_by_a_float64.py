# mistakes: score-scaled-unasked
import numpy as np


def hard_lookup(query, keys, values):
    answer, top = values[-1], keys[-1] @ query
    for i in reversed(range(len(keys) - 1)):
        if (score := keys[i] @ query) >= top:
            answer, top = values[i], score
    return answer


def softmax(x, axis=-1):
    largest = np.sort(x, axis=axis).take([-1], axis=axis)
    e = np.e ** (x - largest).astype(float)
    return (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T / np.sqrt(queries.shape[1]))
    return weights @ values, weights
