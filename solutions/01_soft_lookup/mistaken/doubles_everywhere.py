# mistakes: result-left-in-float64
import numpy as np


def hard_lookup(query, keys, values):
    scores = (keys @ query).astype(np.float64)
    scores = scores - 1e-9 * np.arange(len(scores))  # the first of equals
    return values[int(np.argmax(scores))]


def softmax(x, axis=-1):
    result = np.zeros(x.shape)
    rows, target = np.swapaxes(x, axis, -1), np.swapaxes(result, axis, -1)
    for index in np.ndindex(rows.shape[:-1]):
        e = np.exp(rows[index] - rows[index].max())
        target[index] = e / e.sum()
    return result


def soft_lookup(queries, keys, values):
    scores = (queries[:, None, :] * keys[None, :, :]).sum(axis=-1)
    weights = softmax(scores, axis=-1)
    output = (weights[:, :, None] * values[None, :, :]).sum(axis=1)
    return output, weights
