# mistakes: lookup-one-query-only
import numpy as np


def hard_lookup(query, keys, values):
    return values[max(range(len(keys)), key=lambda i: keys[i] @ query)]


def softmax(x, axis=-1):
    log2_e = 1.4426950408889634
    powers = np.exp2((x - np.max(x, axis=axis, keepdims=True)) * log2_e)
    return powers / powers.sum(axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    for q in queries:
        w = softmax(np.dot(keys, q))
        return np.dot(w, values), w
