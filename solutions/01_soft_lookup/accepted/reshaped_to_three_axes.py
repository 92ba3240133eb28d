# accepted: reshaped to (before, axis, after), ties broken from the back, a running softmax
import math

import numpy as np


def hard_lookup(query, keys, values):
    answer, top = values[-1], keys[-1] @ query
    for i in reversed(range(len(keys) - 1)):
        if (score := keys[i] @ query) >= top:
            answer, top = values[i], score
    return answer


def softmax(x, axis=-1):
    axis = axis + x.ndim if axis < 0 else axis
    before = math.prod(x.shape[:axis])
    flat = x.reshape(before, x.shape[axis], -1)
    e = np.exp(flat - flat.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)).reshape(x.shape)


def soft_lookup(queries, keys, values):
    scores = queries @ keys.T
    top = np.full((len(queries), 1), -np.inf, dtype=scores.dtype)
    total = np.zeros_like(top)
    mixed = np.zeros((len(queries), values.shape[1]), dtype=np.result_type(scores, values))
    for j, value in enumerate(values):
        s = scores[:, j : j + 1]
        new_top = np.maximum(top, s)
        total = total * np.exp(top - new_top) + np.exp(s - new_top)
        mixed = mixed * np.exp(top - new_top) + np.exp(s - new_top) * value
        top = new_top
    return mixed / total, np.exp(scores - top) / total
