# mistakes: softmax-global-max, softmax-missing-keepdims
import numpy as np


def hard_lookup(query, keys, values):
    score_of = {i: float(np.dot(query, keys[i])) for i in range(keys.shape[0])}
    return values[max(score_of, key=score_of.get)]


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / np.sum(e, axis=axis)


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
