# mistakes: output-mixes-keys
import numpy as np


def hard_lookup(query, keys, values):
    answer, top = values[-1], keys[-1] @ query
    for i in reversed(range(len(keys) - 1)):
        if (score := keys[i] @ query) >= top:
            answer, top = values[i], score
    return answer


def softmax(x, axis=-1):
    def of_vector(v):
        e = np.exp(v - np.max(v))
        return e / np.sum(e)

    return np.apply_along_axis(of_vector, axis, x)


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    return np.stack([sum(w * k for w, k in zip(row, keys)) for row in weights]), weights
