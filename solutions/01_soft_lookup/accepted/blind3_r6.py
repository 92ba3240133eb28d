# accepted: in its own way
import numpy as np
from functools import reduce

def hard_lookup(query, keys, values):
    pairs = zip(keys @ query, values)
    return reduce(lambda a, b: b if b[0] > a[0] else a, pairs)[1]

def softmax(x, axis=-1):
    # running maximum and running sum, slice by slice
    parts = np.moveaxis(x, axis, 0)
    top = parts[0]
    total = np.ones_like(top)
    for p in parts[1:]:
        new = np.maximum(top, p)
        total = total * np.exp(top - new) + np.exp(p - new)
        top = new
    return np.stack([np.exp(p - top) / total for p in parts], axis=axis)

def soft_lookup(queries, keys, values):
    scores = np.tensordot(queries, keys, axes=([1], [1]))
    weights = softmax(scores, axis=1)
    output = sum(weights[:, j, None] * values[j] for j in range(len(values)))
    return output, weights
