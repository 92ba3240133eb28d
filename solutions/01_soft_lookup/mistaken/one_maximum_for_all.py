# mistakes: softmax-global-max
import numpy as np


def hard_lookup(query, keys, values):
    scores = (keys @ query).astype(np.float64)
    scores = scores - 1e-9 * np.arange(len(scores))  # the first of equals
    return values[int(np.argmax(scores))]


def softmax(x, axis=-1):
    largest = x.max()
    e = np.exp(x - largest)
    sums = np.add.reduce(e, axis=axis, keepdims=True)
    return e / sums


def soft_lookup(queries, keys, values):
    scores = (queries[:, None, :] * keys[None, :, :]).sum(axis=-1)
    weights = softmax(scores, axis=-1)
    output = (weights[:, :, None] * values[None, :, :]).sum(axis=1)
    return output, weights
