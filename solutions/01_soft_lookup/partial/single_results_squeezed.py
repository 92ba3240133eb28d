# may lose: test_one_query_looks_up_like_many, test_a_single_key_gets_all_the_weight, test_a_soft_lookup_of_any_sizes
import numpy as np


def hard_lookup(query, keys, values):
    ranked = sorted(range(len(keys)), key=lambda i: -np.dot(keys[i], query))
    return values[ranked[0]]


def softmax(x, axis=-1):
    y = np.array(x)
    y -= y.max(axis=axis, keepdims=True)
    np.exp(y, out=y)
    y /= y.sum(axis=axis, keepdims=True)
    return y


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    return (weights @ values).squeeze(), weights
