# mistakes: lookup-starts-from-zero, softmax-missing-keepdims
import numpy as np


def hard_lookup(query, keys, values):
    scores = [float(query @ key) for key in keys]
    top, at = 0.0, 0
    for i, score in enumerate(scores):
        if score > top:
            top, at = score, i
    return values[at]


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis)


def soft_lookup(queries, keys, values):
    m, n = len(queries), len(keys)
    kind = np.result_type(queries, keys, values)
    scores = np.zeros((m, n), dtype=np.result_type(queries, keys))
    for i in range(m):
        for j in range(n):
            scores[i, j] = np.dot(queries[i], keys[j])
    weights = softmax(scores)
    output = np.zeros((m, values.shape[1]), dtype=kind)
    for i in range(m):
        for j in range(n):
            output[i] += weights[i, j] * values[j]
    return output, weights
