# mistakes: softmax-no-max-subtraction
import numpy as np


def hard_lookup(query, keys, values):
    score_of = {i: float(np.dot(query, keys[i])) for i in range(keys.shape[0])}
    return values[max(score_of, key=score_of.get)]


def softmax(x, axis=-1):
    def one(row):
        powers = [np.exp(number) for number in row]
        return np.array([p / sum(powers) for p in powers])

    return np.apply_along_axis(one, axis, x)


def soft_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T)
    return weights @ values, weights
