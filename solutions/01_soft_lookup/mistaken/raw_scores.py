# mistakes: softmax-left-out
import math

import numpy as np


def hard_lookup(query, keys, values):
    s = keys.dot(query)
    winners = np.where(s == s.max())[0]
    return values[winners[0]]


def softmax(x, axis=-1):
    axis = axis + x.ndim if axis < 0 else axis
    before = math.prod(x.shape[:axis])
    flat = x.reshape(before, x.shape[axis], -1)
    e = np.exp(flat - flat.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)).reshape(x.shape)


def soft_lookup(queries, keys, values):
    weights = np.einsum("md,nd->mn", queries, keys)
    return np.einsum("mn,nv->mv", weights, values), weights
