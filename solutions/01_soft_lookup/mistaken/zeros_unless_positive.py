# mistakes: lookup-starts-from-zero
import numpy as np


def hard_lookup(query, keys, values):
    result = np.zeros(values.shape[1], dtype=values.dtype)
    largest = 0
    for i, s in enumerate(keys @ query):
        if s > largest:
            largest = s
            result = values[i]
    return result


def softmax(x, axis=-1):
    m = np.amax(x, axis=axis, keepdims=True)
    log_total = m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))
    return np.exp(x - log_total)


def soft_lookup(queries, keys, values):
    weights = softmax(np.inner(queries, keys))
    return [np.matmul(weights, values), weights]
