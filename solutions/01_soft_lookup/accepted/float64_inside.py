# accepted: float64 inside and cast back, sums of products, tensordot
import numpy as np


def hard_lookup(query, keys, values):
    similarity = (keys * query).sum(axis=1)
    return np.take(values, np.argmax(similarity), axis=0)


def softmax(x, axis=-1):
    precise = x.astype(np.float64)
    e = np.exp(precise - precise.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)


def soft_lookup(queries, keys, values):
    scores = np.tensordot(queries, keys, axes=([1], [1]))
    w = softmax(scores, -1)
    return np.tensordot(w, values, axes=1), w
