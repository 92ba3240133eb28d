# mistakes: softmax-left-out
import numpy as np


def hard_lookup(query, keys, values):
    ranked = sorted(range(len(keys)), key=lambda i: -np.dot(keys[i], query))
    return values[ranked[0]]


def softmax(x, axis=-1):
    largest = np.sort(x, axis=axis).take([-1], axis=axis)
    e = np.e ** (x - largest).astype(float)
    return (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)


def soft_lookup(queries, keys, values):
    scores = queries.dot(keys.T)
    weights = softmax(scores)
    output = scores.dot(values)
    return output, weights
