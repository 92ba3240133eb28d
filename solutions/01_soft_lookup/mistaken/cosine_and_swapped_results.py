# mistakes: similarity-cosine, output-and-weights-swapped
import math

import numpy as np


def hard_lookup(query, keys, values):
    scores = query.reshape(1, -1) @ keys.T  # (1, n)
    return values[scores.argmax(axis=1)][0]


def softmax(x, axis=-1):
    axis = axis + x.ndim if axis < 0 else axis
    before = math.prod(x.shape[:axis])
    flat = x.reshape(before, x.shape[axis], -1)
    e = np.exp(flat - flat.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)).reshape(x.shape)


def soft_lookup(queries, keys, values):
    q = queries / np.linalg.norm(queries, axis=1)[:, None]
    k = keys / np.linalg.norm(keys, axis=1)[:, None]
    attention = softmax(q.dot(k.T))
    return attention, attention.dot(values)
