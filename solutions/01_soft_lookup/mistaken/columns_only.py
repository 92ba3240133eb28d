# mistakes: softmax-axis-ignored
import numpy as np


def hard_lookup(query, keys, values):
    ranked = sorted(range(len(keys)), key=lambda i: -np.dot(keys[i], query))
    return values[ranked[0]]


def softmax(x, axis=-1):
    e = np.exp(x - x.max(0))
    return e / e.sum(0)


def soft_lookup(queries, keys, values):
    weights = softmax((keys @ queries.T).T, axis=1)
    return (values.T @ weights.T).T, weights
