# mistakes: lookup-hard-is-soft
import numpy as np


def hard_lookup(query, keys, values):
    scores = keys @ query
    e = np.exp(scores - scores.max())
    return (e / e.sum()) @ values


def softmax(x, axis=-1):
    precise = x.astype(np.float64)
    e = np.exp(precise - precise.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)


def soft_lookup(queries, keys, values):
    similarities = np.array([[q @ k for k in keys] for q in queries])
    weights = softmax(similarities)
    output = np.array([sum(w * v for w, v in zip(row, values)) for row in weights])
    return output, weights
