# mistakes: score-elementwise-product
import numpy as np


def hard_lookup(query, keys, values):
    return values[max(range(len(keys)), key=lambda i: keys[i] @ query)]


def softmax(x, axis=-1):
    rows = np.moveaxis(x, axis, -1)
    e = np.exp(rows - rows.max(axis=-1)[..., None])
    weights = e / e.sum(axis=-1)[..., None]
    return np.moveaxis(weights, -1, axis)


def soft_lookup(queries, keys, values):
    scores = np.multiply(queries, keys)
    w = softmax(scores, axis=1)
    return np.matmul(w, values), w
