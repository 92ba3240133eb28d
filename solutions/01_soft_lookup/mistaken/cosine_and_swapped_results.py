# mistakes: similarity-cosine, output-and-weights-swapped
import numpy as np


def hard_lookup(query, keys, values):
    scores = query.reshape(1, -1) @ keys.T  # (1, n)
    return values[scores.argmax(axis=1)][0]


def softmax(x, axis=-1):
    largest = np.sort(x, axis=axis).take([-1], axis=axis)
    e = np.e ** (x - largest).astype(float)
    return (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)


def soft_lookup(queries, keys, values):
    q = queries / np.linalg.norm(queries, axis=1)[:, None]
    k = keys / np.linalg.norm(keys, axis=1)[:, None]
    attention = softmax(q.dot(k.T))
    return attention, attention.dot(values)
