# mistakes: lookup-returns-other
import numpy as np


def hard_lookup(query, keys, values):
    best_score, best = -np.inf, None
    for key in keys:
        if key @ query > best_score:
            best_score, best = key @ query, key
    return best


def softmax(x, axis=-1):
    def of_vector(v):
        e = np.exp(v - np.max(v))
        return e / np.sum(e)

    return np.apply_along_axis(of_vector, axis, x)


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
