# mistakes: softmax-without-exp
import numpy as np


def hard_lookup(query, keys, values):
    similarity = (keys * query).sum(axis=1)
    return np.take(values, np.argmax(similarity), axis=0)


def softmax(x, axis=-1):
    return x / np.sum(x, axis, keepdims=True)


def soft_lookup(queries, keys, values):
    blocks = []
    for start in range(0, len(queries), 2):
        block = queries[start : start + 2]
        blocks.append(softmax(block @ keys.T, axis=-1))
    weights = np.concatenate(blocks, axis=0)
    return np.vstack([w @ values for w in weights]), weights
