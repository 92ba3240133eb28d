# mistakes: score-key-not-transposed
import numpy as np


def hard_lookup(query, keys, values):
    scores = np.dot(query, keys)
    return values[int(scores.argmax())]


def softmax(x, axis=-1):
    log2_e = 1.4426950408889634
    powers = np.exp2((x - np.max(x, axis=axis, keepdims=True)) * log2_e)
    return powers / powers.sum(axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    outputs, all_weights = [], []
    for query in queries:
        w = softmax(keys @ query)
        outputs.append(w @ values)
        all_weights.append(w)
    return np.stack(outputs), np.stack(all_weights)
