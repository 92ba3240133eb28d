# may lose: test_of_equally_good_keys_the_first_wins, test_later_keys_that_are_as_good_change_nothing
import numpy as np


def hard_lookup(query, keys, values):
    scored = [(float(key @ query), i) for i, key in enumerate(keys)]
    return values[max(scored)[1]]


def softmax(x, axis=-1):
    top = np.expand_dims(np.max(x, axis=axis), axis)
    e = np.exp(x - top)
    return e / np.expand_dims(np.sum(e, axis=axis), axis)


def soft_lookup(queries, keys, values):
    outputs, all_weights = [], []
    for query in queries:
        w = softmax(keys @ query)
        outputs.append(w @ values)
        all_weights.append(w)
    return np.stack(outputs), np.stack(all_weights)
