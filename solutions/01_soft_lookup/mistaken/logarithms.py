# mistakes: softmax-log-softmax
import numpy as np


def hard_lookup(query, keys, values):
    best = int(np.tensordot(keys, query, axes=1).argmax())
    return values[best].copy()


def softmax(x, axis=-1):
    m = x.max(axis=axis, keepdims=True)
    return x - (m + np.log(np.exp(x - m).sum(axis=axis, keepdims=True)))


def soft_lookup(queries, keys, values):
    similarities = np.array([[q @ k for k in keys] for q in queries])
    weights = softmax(similarities)
    output = np.array([sum(w * v for w, v in zip(row, values)) for row in weights])
    return output, weights
