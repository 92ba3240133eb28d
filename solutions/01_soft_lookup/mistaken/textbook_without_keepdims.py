# mistakes: softmax-no-max-subtraction, softmax-missing-keepdims
import numpy as np


def hard_lookup(query, keys, values):
    best = int(np.tensordot(keys, query, axes=1).argmax())
    return values[best].copy()


def softmax(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=axis)


def soft_lookup(queries, keys, values):
    blocks = []
    for start in range(0, len(queries), 2):
        block = queries[start : start + 2]
        blocks.append(softmax(block @ keys.T, axis=-1))
    weights = np.concatenate(blocks, axis=0)
    return np.vstack([w @ values for w in weights]), weights
