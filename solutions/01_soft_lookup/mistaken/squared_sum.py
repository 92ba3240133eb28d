# mistakes: softmax-normalised-to-length-one
import numpy as np


def hard_lookup(query, keys, values):
    score_of = {i: float(np.dot(query, keys[i])) for i in range(keys.shape[0])}
    return values[max(score_of, key=score_of.get)]


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / np.linalg.norm(e, axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    return weights @ values, weights
