# mistakes: output-width-of-keys
import numpy as np


def hard_lookup(query, keys, values):
    scores = np.einsum("d,nd->n", query, keys)
    return values[scores.argmax()]


def softmax(x, axis=-1):
    top = np.expand_dims(np.max(x, axis=axis), axis)
    e = np.exp(x - top)
    return e / np.expand_dims(np.sum(e, axis=axis), axis)


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    output = np.zeros_like(queries)
    for i in range(len(queries)):
        for j in range(len(keys)):
            output[i] += weights[i, j] * values[j]
    return output, weights
