# mistakes: score-scaled-unasked
import numpy as np


def hard_lookup(query, keys, values):
    scores = query.reshape(1, -1) @ keys.T  # (1, n)
    return values[scores.argmax(axis=1)][0]


def softmax(x, axis=-1):
    e = np.exp(np.subtract(x, np.maximum.reduce(x, axis=axis, keepdims=True)))
    return np.true_divide(e, np.add.reduce(e, axis=axis, keepdims=True))


def soft_lookup(queries, keys, values):
    d_k = queries.shape[1]
    attn = softmax((queries @ keys.T) * d_k**-0.5)
    return attn @ values, attn
