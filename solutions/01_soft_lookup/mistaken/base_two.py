# mistakes: softmax-other-base
import numpy as np


def hard_lookup(query, keys, values):
    best, i = 0, 1
    while i < len(keys):
        if keys[i] @ query > keys[best] @ query:
            best = i
        i += 1
    return values[best, :]


def softmax(x, axis=-1):
    p = np.power(2, x - x.max(axis=axis, keepdims=True), dtype=x.dtype)
    return p / p.sum(axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    scores = np.einsum("md,nd->mn", queries, keys)
    attention = softmax(scores, axis=1)
    return np.einsum("mn,nv->mv", attention, values), attention
