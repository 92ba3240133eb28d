# mistakes: softmax-global-max, softmax-missing-keepdims
import numpy as np


def hard_lookup(query, keys, values):
    score_of = {i: float(np.dot(query, keys[i])) for i in range(keys.shape[0])}
    return values[max(score_of, key=score_of.get)]


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / np.sum(e, axis=axis)


def soft_lookup(queries, keys, values):
    blocks = []
    for start in range(0, len(queries), 2):
        block = queries[start : start + 2]
        blocks.append(softmax(block @ keys.T, axis=-1))
    weights = np.concatenate(blocks, axis=0)
    return np.vstack([w @ values for w in weights]), weights
