# mistakes: score-key-transposed-by-view
import numpy as np


def hard_lookup(query, keys, values):
    order = np.argsort(-(keys @ query), kind="stable")
    return values[order[0]]


def softmax(x, axis=-1):
    top = np.expand_dims(np.max(x, axis=axis), axis)
    e = np.exp(x - top)
    return e / np.expand_dims(np.sum(e, axis=axis), axis)


def soft_lookup(queries, keys, values):
    n, d = keys.shape
    scores = np.matmul(queries, keys.reshape(d, n))
    attn = softmax(scores)
    return np.matmul(attn, values), attn
