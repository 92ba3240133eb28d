# mistakes: softmax-global-sum
import numpy as np


def hard_lookup(query, keys, values):
    best_score = -np.inf
    best_value = None
    for key, value in zip(keys, values):
        score = np.dot(query, key)
        if score > best_score:
            best_score = score
            best_value = value
    return best_value


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / e.sum()


def soft_lookup(queries, keys, values):
    scores = queries.dot(keys.transpose())
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    total = e.sum(axis=1, keepdims=True)
    return e.dot(values) / total, e / total
