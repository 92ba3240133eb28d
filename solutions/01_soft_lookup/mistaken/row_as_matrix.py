# mistakes: lookup-keeps-axis-of-keys
import numpy as np


def hard_lookup(query, keys, values):
    scores = query.reshape(1, -1) @ keys.T
    return values[scores.argmax(axis=1)]


def softmax(x, axis=-1):
    first = np.moveaxis(x, axis, 0)
    e = np.exp(first - first.max(0))
    return np.moveaxis(e / e.sum(0), 0, axis)


def soft_lookup(queries, keys, values):
    blocks = []
    for start in range(0, len(queries), 2):
        block = queries[start : start + 2]
        blocks.append(softmax(block @ keys.T, axis=-1))
    weights = np.concatenate(blocks, axis=0)
    return np.vstack([w @ values for w in weights]), weights
