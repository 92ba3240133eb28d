# mistakes: weights-replaced-by-scores
import numpy as np


def hard_lookup(query, keys, values):
    chosen = np.zeros(len(keys), dtype=values.dtype)
    chosen[np.argmax(np.inner(keys, query))] = 1
    return chosen @ values


def softmax(x, axis=-1):
    shape = list(x.shape)
    shape[axis] = 1
    m = x.max(axis=axis).reshape(shape)
    e = np.exp(x - m)
    return e / e.sum(axis=axis).reshape(shape)


def soft_lookup(queries, keys, values):
    attn = np.inner(queries, keys)
    output = softmax(attn) @ values
    return output, attn
