# mistakes: softmax-left-out
import numpy as np


def hard_lookup(query, keys, values):
    s = keys.dot(query)
    winners = np.where(s == s.max())[0]
    return values[winners[0]]


def softmax(x, axis=-1):
    largest = np.sort(x, axis=axis).take([-1], axis=axis)
    e = np.e ** (x - largest).astype(float)
    return (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)


def soft_lookup(queries, keys, values):
    weights = np.einsum("md,nd->mn", queries, keys)
    return np.einsum("mn,nv->mv", weights, values), weights
