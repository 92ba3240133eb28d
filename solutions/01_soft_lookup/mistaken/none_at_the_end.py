# mistakes: softmax-axis-put-back-last
import numpy as np


def hard_lookup(query, keys, values):
    order = np.argsort(-(keys @ query), kind="stable")
    return values[order[0]]


def softmax(x, axis=-1):
    m = x.max(axis=axis)
    e = np.exp(x - np.expand_dims(m, -1))
    s = e.sum(axis=axis)
    return e / np.expand_dims(s, -1)


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
