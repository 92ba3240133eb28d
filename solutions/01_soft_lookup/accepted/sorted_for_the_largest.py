# accepted: the largest by sorting, e to a power, list comprehensions
import numpy as np


def hard_lookup(query, keys, values):
    scores = (keys @ query).astype(np.float64)
    scores = scores - 1e-9 * np.arange(len(scores))  # the first of equals
    return values[int(np.argmax(scores))]


def softmax(x, axis=-1):
    largest = np.sort(x, axis=axis).take([-1], axis=axis)
    e = np.e ** (x - largest).astype(float)
    return (e / e.sum(axis=axis, keepdims=True)).astype(x.dtype)


def soft_lookup(queries, keys, values):
    similarities = np.array([[q @ k for k in keys] for q in queries])
    weights = softmax(similarities)
    output = np.array([sum(w * v for w, v in zip(row, values)) for row in weights])
    return output, weights
