# mistakes: softmax-not-normalised
import numpy as np


def hard_lookup(query, keys, values):
    chosen = np.zeros(len(keys), dtype=values.dtype)
    chosen[np.argmax(np.inner(keys, query))] = 1
    return chosen @ values


def softmax(x, axis=-1):
    return np.exp(x)


def soft_lookup(queries, keys, values):
    weights = softmax((keys @ queries.T).T, axis=1)
    return (values.T @ weights.T).T, weights
