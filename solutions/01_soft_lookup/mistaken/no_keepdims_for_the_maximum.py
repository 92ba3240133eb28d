# mistakes: softmax-missing-keepdims
import numpy as np


def hard_lookup(query, keys, values):
    return values[max(range(len(keys)), key=lambda i: keys[i] @ query)]


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis))
    return e / e.sum(axis, keepdims=True)


def soft_lookup(queries, keys, values):
    weights = softmax(np.inner(queries, keys))
    return [np.matmul(weights, values), weights]
