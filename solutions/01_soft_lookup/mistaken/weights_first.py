# mistakes: output-and-weights-swapped
import numpy as np


def hard_lookup(query, keys, values):
    best = int(np.tensordot(keys, query, axes=1).argmax())
    return values[best].copy()


def softmax(x, axis=-1):
    m = np.amax(x, axis=axis, keepdims=True)
    log_total = m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))
    return np.exp(x - log_total)


def soft_lookup(queries, keys, values):
    w = softmax(np.inner(queries, keys))
    return w, np.dot(w, values)
