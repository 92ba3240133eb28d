# mistakes: softmax-no-max-subtraction, softmax-missing-keepdims
import numpy as np


def hard_lookup(query, keys, values):
    best = int(np.tensordot(keys, query, axes=1).argmax())
    return values[best].copy()


def softmax(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=axis)


def soft_lookup(queries, keys, values):
    weights = softmax((keys @ queries.T).T, axis=1)
    return (values.T @ weights.T).T, weights
