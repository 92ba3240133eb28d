# mistakes: softmax-no-max-subtraction
import numpy as np


def hard_lookup(query, keys, values):
    best = int(np.tensordot(keys, query, axes=1).argmax())
    return values[best].copy()


def softmax(x, axis=-1):
    return np.exp(x) / np.sum(np.exp(x), axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    similarities = np.array([[q @ k for k in keys] for q in queries])
    weights = softmax(similarities)
    output = np.array([sum(w * v for w, v in zip(row, values)) for row in weights])
    return output, weights
