# mistakes: softmax-no-max-subtraction
import numpy as np


def hard_lookup(query, keys, values):
    best, i = 0, 1
    while i < len(keys):
        if keys[i] @ query > keys[best] @ query:
            best = i
        i += 1
    return values[best, :]


def softmax(x, axis=-1):
    e = np.exp(x)
    return np.nan_to_num(e / e.sum(axis, keepdims=True))


def soft_lookup(queries, keys, values):
    outputs, all_weights = [], []
    for query in queries:
        w = softmax(keys @ query)
        outputs.append(w @ values)
        all_weights.append(w)
    return np.stack(outputs), np.stack(all_weights)
