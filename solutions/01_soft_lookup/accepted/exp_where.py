# accepted: exp only where it matters, a dictionary of scores, transposed products
import numpy as np


def hard_lookup(query, keys, values):
    score_of = {i: float(np.dot(query, keys[i])) for i in range(keys.shape[0])}
    return values[max(score_of, key=score_of.get)]


def softmax(x, axis=-1):
    shifted = x - x.max(axis=axis, keepdims=True)
    e = np.exp(shifted, where=shifted > -80, out=np.zeros_like(shifted))
    return np.divide(e, e.sum(axis=axis, keepdims=True))


def soft_lookup(queries, keys, values):
    weights = softmax((keys @ queries.T).T, axis=1)
    return (values.T @ weights.T).T, weights
