# accepted: in place on a copy, max with a key function, a list as result
import numpy as np


def hard_lookup(query, keys, values):
    return values[max(range(len(keys)), key=lambda i: keys[i] @ query)]


def softmax(x, axis=-1):
    y = np.array(x)
    y -= y.max(axis=axis, keepdims=True)
    np.exp(y, out=y)
    y /= y.sum(axis=axis, keepdims=True)
    return y


def soft_lookup(queries, keys, values):
    weights = softmax(np.inner(queries, keys))
    return [np.matmul(weights, values), weights]
