# mistakes: softmax-axis-ignored
import numpy as np


def hard_lookup(query, keys, values):
    s = keys.dot(query)
    winners = np.where(s == s.max())[0]
    return values[winners[0]]


def softmax(x, axis=-1):
    if x.ndim == 1:
        e = np.exp(x - x.max())
        return e / e.sum()
    return np.stack([softmax(part) for part in x])


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
