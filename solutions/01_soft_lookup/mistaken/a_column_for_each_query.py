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
    def of_vector(v):
        e = np.exp(v - np.max(v))
        return e / np.sum(e)

    return np.apply_along_axis(of_vector, axis, x)


def soft_lookup(queries, keys, values):
    columns = softmax(keys @ queries.T, axis=0)
    return (values.T @ columns).T, columns
