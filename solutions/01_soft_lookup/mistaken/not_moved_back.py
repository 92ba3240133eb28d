# mistakes: softmax-axis-left-moved
import numpy as np


def hard_lookup(query, keys, values):
    scores = query.reshape(1, -1) @ keys.T  # (1, n)
    return values[scores.argmax(axis=1)][0]


def softmax(x, axis=-1):
    y = np.moveaxis(x, axis, x.ndim - 1)
    y = y - y.max(-1, keepdims=True)
    y = np.exp(y)
    return y / y.sum(-1, keepdims=True)


def soft_lookup(queries, keys, values):
    blocks = []
    for start in range(0, len(queries), 2):
        block = queries[start : start + 2]
        blocks.append(softmax(block @ keys.T, axis=-1))
    weights = np.concatenate(blocks, axis=0)
    return np.vstack([w @ values for w in weights]), weights
