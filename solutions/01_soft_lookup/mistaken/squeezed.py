# mistakes: result-squeezed
import numpy as np


def hard_lookup(query, keys, values):
    order = np.argsort(-(keys @ query), kind="stable")
    return values[order[0]]


def softmax(x, axis=-1):
    e = np.exp(np.subtract(x, np.maximum.reduce(x, axis=axis, keepdims=True)))
    return np.true_divide(e, np.add.reduce(e, axis=axis, keepdims=True))


def soft_lookup(queries, keys, values):
    scores = (queries[:, None, :] @ keys.T).squeeze()
    weights = softmax(np.atleast_2d(scores).reshape(len(queries), len(keys)))
    return (weights @ values).squeeze(), weights.squeeze()
