# mistakes: score-scaled-unasked
import numpy as np

def _dots(q, K):
    return K.dot(q)

def hard_lookup(query, keys, values):
    d = _dots(query, keys)
    best = 0
    for i in range(1, len(d)):
        if d[i] > d[best]:
            best = i
    return values[best]

def softmax(x, axis=-1):
    shifted = x - x.max(axis, keepdims=True)
    p = np.exp(shifted)
    p /= p.sum(axis, keepdims=True)
    return p

def soft_lookup(queries, keys, values):
    m, d = queries.shape
    n = keys.shape[0]
    W = np.empty((m, n), dtype=queries.dtype)
    O = np.empty((m, values.shape[1]), dtype=values.dtype)
    for i in range(m):
        W[i] = softmax(_dots(queries[i], keys) / d ** 0.5)
        O[i] = W[i] @ values
    return O, W
