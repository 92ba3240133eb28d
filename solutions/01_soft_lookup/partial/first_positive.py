# may lose: test_similarities_may_all_be_negative, test_a_little_better_is_enough, test_a_hard_lookup_of_any_sizes, test_the_value_of_the_best_key_is_returned, test_a_hard_lookup_keeps_the_dtype_of_the_values
import numpy as np


def hard_lookup(query, keys, values):
    answer, top = values[0], 0
    for i, s in enumerate((keys * query).sum(axis=1)):
        if s > top:
            answer, top = values[i], s
    return answer


def softmax(x, axis=-1):
    rows = np.moveaxis(x, axis, -1)
    e = np.exp(rows - rows.max(axis=-1)[..., None])
    weights = e / e.sum(axis=-1)[..., None]
    return np.moveaxis(weights, -1, axis)


def soft_lookup(queries, keys, values):
    weights = softmax(np.inner(queries, keys))
    return [np.matmul(weights, values), weights]
