# mistakes: argument-changed-in-place, softmax-no-max-subtraction
import numpy as np


def hard_lookup(query, keys, values):
    best, i = 0, 1
    while i < len(keys):
        if keys[i] @ query > keys[best] @ query:
            best = i
        i += 1
    return values[best, :]


def softmax(x, axis=-1):
    np.exp(x, out=x)
    return x / x.sum(axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    similarities = np.array([[q @ k for k in keys] for q in queries])
    weights = softmax(similarities)
    output = np.array([sum(w * v for w, v in zip(row, values)) for row in weights])
    return output, weights
