# mistakes: softmax-no-max-subtraction, softmax-axis-ignored
import numpy as np


def hard_lookup(query, keys, values):
    ranked = sorted(range(len(keys)), key=lambda i: -np.dot(keys[i], query))
    return values[ranked[0]]


def softmax(x, axis=-1):
    powers = np.exp(x)
    return powers / np.sum(powers, axis=-1, keepdims=True)


def soft_lookup(queries, keys, values):
    weights = softmax(np.inner(queries, keys))
    return [np.matmul(weights, values), weights]
