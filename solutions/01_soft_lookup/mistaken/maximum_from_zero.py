# mistakes: lookup-starts-from-zero
import numpy as np


def hard_lookup(query, keys, values):
    best_score = 0
    best_index = 0
    for i in range(len(keys)):
        score = np.dot(query, keys[i])
        if score > best_score:
            best_score = score
            best_index = i
    return values[best_index]


def softmax(x, axis=-1):
    shape = list(x.shape)
    shape[axis] = 1
    m = x.max(axis=axis).reshape(shape)
    e = np.exp(x - m)
    return e / e.sum(axis=axis).reshape(shape)


def soft_lookup(queries, keys, values):
    scores = queries.dot(keys.transpose())
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    total = e.sum(axis=1, keepdims=True)
    return e.dot(values) / total, e / total
