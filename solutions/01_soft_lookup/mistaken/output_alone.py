# mistakes: weights-not-returned
import numpy as np


def hard_lookup(query, keys, values):
    score_of = {i: float(np.dot(query, keys[i])) for i in range(keys.shape[0])}
    return values[max(score_of, key=score_of.get)]


def softmax(x, axis=-1):
    m = np.amax(x, axis=axis, keepdims=True)
    log_total = m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))
    return np.exp(x - log_total)


def soft_lookup(queries, keys, values):
    return np.array([softmax(keys @ q) @ values for q in queries])
