# mistakes: softmax-no-max-subtraction, softmax-global-sum
import numpy as np


def hard_lookup(query, keys, values):
    similarity = (keys * query).sum(axis=1)
    return np.take(values, np.argmax(similarity), axis=0)


def softmax(x, axis=-1):
    return np.exp(x) / np.exp(x).sum()


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
