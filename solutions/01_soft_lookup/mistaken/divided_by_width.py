# mistakes: score-scaled-unasked
import numpy as np


def hard_lookup(query, keys, values):
    chosen = np.zeros(len(keys), dtype=values.dtype)
    chosen[np.argmax(np.inner(keys, query))] = 1
    return chosen @ values


def softmax(x, axis=-1):
    largest = np.sort(x, axis=axis).take([-1], axis=axis)
    e = np.e ** (x - largest).astype(float)
    return (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)


def soft_lookup(queries, keys, values):
    scores = (queries[:, None] * keys[None]).mean(axis=-1)
    weights = softmax(scores)
    return weights @ values, weights
