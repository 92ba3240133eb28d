# mistakes: score-scaled-unasked
import math

import numpy as np


def hard_lookup(query, keys, values):
    similarity = (keys * query).sum(axis=1)
    return np.take(values, np.argmax(similarity), axis=0)


def softmax(x, axis=-1):
    axis = axis + x.ndim if axis < 0 else axis
    before = math.prod(x.shape[:axis])
    flat = x.reshape(before, x.shape[axis], -1)
    e = np.exp(flat - flat.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)).reshape(x.shape)


def soft_lookup(queries, keys, values):
    scale = math.sqrt(keys.shape[-1])
    outputs, maps = [], []
    for q in queries / scale:
        w = softmax(np.array([q @ k for k in keys]))
        outputs.append(sum(a * v for a, v in zip(w, values)))
        maps.append(w)
    return np.array(outputs), np.array(maps)
