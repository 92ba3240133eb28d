# accepted: expand_dims in place of keepdims, sorted() by score, divided last
import numpy as np


def hard_lookup(query, keys, values):
    ranked = sorted(range(len(keys)), key=lambda i: -np.dot(keys[i], query))
    return values[ranked[0]]


def softmax(x, axis=-1):
    top = np.expand_dims(np.max(x, axis=axis), axis)
    e = np.exp(x - top)
    return e / np.expand_dims(np.sum(e, axis=axis), axis)


def soft_lookup(queries, keys, values):
    scores = queries.dot(keys.transpose())
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    total = e.sum(axis=1, keepdims=True)
    return e.dot(values) / total, e / total
