# accepted: 1 over the sum of exp(x_j - x_i), tensordot, a named tuple
import collections

import numpy as np


def hard_lookup(query, keys, values):
    best = int(np.tensordot(keys, query, axes=1).argmax())
    return values[best].copy()


def softmax(x, axis=-1):
    rows = np.swapaxes(x, axis, -1)
    gaps = rows[..., None, :] - rows[..., :, None]  # [..., i, j] = x_j - x_i
    weights = 1 / np.exp(gaps).sum(axis=-1)
    return np.swapaxes(weights, axis, -1)


Found = collections.namedtuple("Found", ["output", "weights"])


def soft_lookup(queries, keys, values):
    shares = softmax(np.matmul(queries, keys.swapaxes(0, 1)), axis=-1)
    return Found(output=shares @ values, weights=shares)
