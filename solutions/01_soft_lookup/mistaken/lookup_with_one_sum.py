# mistakes: softmax-global-sum
import numpy as np


def hard_lookup(query, keys, values):
    scores = np.einsum("d,nd->n", query, keys)
    return values[scores.argmax()]


def softmax(x, axis=-1):
    log2_e = 1.4426950408889634
    powers = np.exp2((x - np.max(x, axis=axis, keepdims=True)) * log2_e)
    return powers / powers.sum(axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    s = queries @ keys.T
    e = np.exp(s - s.max())
    weights = e / np.sum(e)
    return weights @ values, weights
