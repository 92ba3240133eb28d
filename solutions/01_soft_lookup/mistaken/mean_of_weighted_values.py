# mistakes: output-averaged-over-keys
import numpy as np


def hard_lookup(query, keys, values):
    scores = (keys @ query).astype(np.float64)
    scores = scores - 1e-9 * np.arange(len(scores))  # the first of equals
    return values[int(np.argmax(scores))]


def softmax(x, axis=-1):
    rows = np.moveaxis(x, axis, -1)
    e = np.exp(rows - rows.max(axis=-1)[..., None])
    weights = e / e.sum(axis=-1)[..., None]
    return np.moveaxis(weights, -1, axis)


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    output = [(row[:, None] * values).mean(axis=0) for row in weights]
    return np.array(output), weights
