# accepted: math.exp on Python floats, written into an array of the right dtype
import math

import numpy as np


def hard_lookup(query, keys, values):
    scores = [float(sum(q * k for q, k in zip(query, key))) for key in keys]
    i = scores.index(max(scores))
    return values[i]


def softmax(x, axis=-1):
    result = np.empty(x.shape, dtype=x.dtype)
    rows, out = np.moveaxis(x, axis, -1), np.moveaxis(result, axis, -1)
    for place in np.ndindex(*rows.shape[:-1]):
        top = max(float(v) for v in rows[place])
        exps = [math.exp(float(v) - top) for v in rows[place]]
        for j, e in enumerate(exps):
            out[place + (j,)] = e / sum(exps)
    return result


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
