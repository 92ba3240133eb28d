# accepted: the axis moved to the end and back, stable argsort, broadcasting
import numpy as np


def hard_lookup(query, keys, values):
    order = np.argsort(-(keys @ query), kind="stable")
    return values[order[0]]


def softmax(x, axis=-1):
    rows = np.moveaxis(x, axis, -1)
    e = np.exp(rows - rows.max(axis=-1)[..., None])
    weights = e / e.sum(axis=-1)[..., None]
    return np.moveaxis(weights, -1, axis)


def soft_lookup(queries, keys, values):
    scores = (queries[:, None, :] * keys[None, :, :]).sum(axis=-1)
    weights = softmax(scores, axis=-1)
    output = (weights[:, :, None] * values[None, :, :]).sum(axis=1)
    return output, weights
