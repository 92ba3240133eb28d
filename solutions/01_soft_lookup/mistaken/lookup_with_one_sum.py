# mistakes: softmax-global-sum
import numpy as np


def hard_lookup(query, keys, values):
    scores = np.einsum("d,nd->n", query, keys)
    return values[scores.argmax()]


def softmax(x, axis=-1):
    precise = x.astype(np.float64)
    e = np.exp(precise - precise.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)


def soft_lookup(queries, keys, values):
    s = queries @ keys.T
    e = np.exp(s - s.max())
    weights = e / np.sum(e)
    return weights @ values, weights
