# mistakes: similarity-by-distance
import numpy as np


def hard_lookup(query, keys, values):
    scores = np.einsum("d,nd->n", query, keys)
    return values[scores.argmax()]


def softmax(x, axis=-1):
    def of_vector(v):
        e = np.exp(v - np.max(v))
        return e / np.sum(e)

    return np.apply_along_axis(of_vector, axis, x)


def soft_lookup(queries, keys, values):
    rows = []
    for q in queries:
        d2 = ((keys - q) ** 2).sum(axis=1)
        rows.append(softmax(-d2))
    weights = np.stack(rows)
    return weights @ values, weights
