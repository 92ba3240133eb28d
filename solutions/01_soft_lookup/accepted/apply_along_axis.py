# accepted: apply_along_axis, lists and index(max), np.average
import numpy as np


def hard_lookup(query, keys, values):
    scores = [float(sum(q * k for q, k in zip(query, key))) for key in keys]
    i = scores.index(max(scores))
    return values[i]


def softmax(x, axis=-1):
    def of_vector(v):
        e = np.exp(v - np.max(v))
        return e / np.sum(e)

    return np.apply_along_axis(of_vector, axis, x)


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    output = np.array([np.average(values, axis=0, weights=row) for row in weights])
    return output, weights
