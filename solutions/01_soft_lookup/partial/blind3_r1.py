# may lose: test_mixed_dtypes_are_promoted_as_numpy_does
import math
import numpy as np

def _dot(a, b):
    return math.fsum(float(p) * float(q) for p, q in zip(a, b))

def hard_lookup(query, keys, values):
    best, where = -math.inf, 0
    for i, key in enumerate(keys):
        s = sum(p * q for p, q in zip(query, key))
        if s > best:
            best, where = s, i
    return values[where]

def _soft_list(numbers):
    top = max(numbers)
    e = [math.exp(n - top) for n in numbers]
    total = math.fsum(e)
    return [v / total for v in e]

def softmax(x, axis=-1):
    moved = np.moveaxis(x, axis, -1)
    flat = moved.reshape(-1, moved.shape[-1]).tolist()
    done = np.array([_soft_list(row) for row in flat], dtype=x.dtype)
    return np.moveaxis(done.reshape(moved.shape), -1, axis)

def soft_lookup(queries, keys, values):
    weights = [_soft_list([_dot(q, k) for k in keys]) for q in queries]
    output = [[_dot(w, column) for column in values.T] for w in weights]
    return np.array(output, dtype=values.dtype), np.array(weights, dtype=queries.dtype)
