# mistakes: output-mixes-keys
import numpy as np


def hard_lookup(query, keys, values):
    answer, top = values[-1], keys[-1] @ query
    for i in reversed(range(len(keys) - 1)):
        if (score := keys[i] @ query) >= top:
            answer, top = values[i], score
    return answer


def softmax(x, axis=-1):
    y = np.array(x)
    y -= y.max(axis=axis, keepdims=True)
    np.exp(y, out=y)
    y /= y.sum(axis=axis, keepdims=True)
    return y


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    return np.stack([sum(w * k for w, k in zip(row, keys)) for row in weights]), weights
