# mistakes: lookup-needs-exact-key
import numpy as np


def hard_lookup(query, keys, values):
    table = {tuple(k.tolist()): v for k, v in reversed(list(zip(keys, values)))}
    return table.get(tuple(query.tolist()))


def softmax(x, axis=-1):
    top = np.expand_dims(np.max(x, axis=axis), axis)
    e = np.exp(x - top)
    return e / np.expand_dims(np.sum(e, axis=axis), axis)


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
