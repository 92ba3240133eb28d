# mistakes: softmax-left-out
import numpy as np


def hard_lookup(query, keys, values):
    ranked = sorted(range(len(keys)), key=lambda i: -np.dot(keys[i], query))
    return values[ranked[0]]


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
    scores = queries.dot(keys.T)
    weights = softmax(scores)
    output = scores.dot(values)
    return output, weights
