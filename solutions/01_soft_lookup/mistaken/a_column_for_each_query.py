# mistakes: weights-returned-transposed
import numpy as np


def hard_lookup(query, keys, values):
    best, i = 0, 1
    while i < len(keys):
        if keys[i] @ query > keys[best] @ query:
            best = i
        i += 1
    return values[best, :]


def softmax(x, axis=-1):
    shifted = x - np.max(x, axis, keepdims=True)
    log_weights = shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))
    return np.exp(log_weights)


def soft_lookup(queries, keys, values):
    columns = softmax(keys @ queries.T, axis=0)
    return (values.T @ columns).T, columns
