# accepted: powers of two in place of exp, one-hot times values, element by element
import numpy as np


def hard_lookup(query, keys, values):
    chosen = np.zeros(len(keys), dtype=values.dtype)
    chosen[np.argmax(np.inner(keys, query))] = 1
    return chosen @ values


def softmax(x, axis=-1):
    log2_e = 1.4426950408889634
    powers = np.exp2((x - np.max(x, axis=axis, keepdims=True)) * log2_e)
    return powers / powers.sum(axis=axis, keepdims=True)


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
