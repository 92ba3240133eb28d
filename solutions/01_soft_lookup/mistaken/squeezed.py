# mistakes: result-squeezed
import numpy as np


def hard_lookup(query, keys, values):
    order = np.argsort(-(keys @ query), kind="stable")
    return values[order[0]]


def softmax(x, axis=-1):
    shifted = x - x.max(axis=axis, keepdims=True)
    e = np.exp(shifted, where=shifted > -80, out=np.zeros_like(shifted))
    return np.divide(e, e.sum(axis=axis, keepdims=True))


def soft_lookup(queries, keys, values):
    scores = (queries[:, None, :] @ keys.T).squeeze()
    weights = softmax(np.atleast_2d(scores).reshape(len(queries), len(keys)))
    return (weights @ values).squeeze(), weights.squeeze()
