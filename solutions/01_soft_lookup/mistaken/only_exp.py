# mistakes: softmax-not-normalised
import numpy as np


def hard_lookup(query, keys, values):
    chosen = np.zeros(len(keys), dtype=values.dtype)
    chosen[np.argmax(np.inner(keys, query))] = 1
    return chosen @ values


def softmax(x, axis=-1):
    return np.exp(x - np.maximum.reduce(x, axis=axis, keepdims=True))


def soft_lookup(queries, keys, values):
    similarities = np.array([[q @ k for k in keys] for q in queries])
    weights = softmax(similarities)
    output = np.array([sum(w * v for w, v in zip(row, values)) for row in weights])
    return output, weights
