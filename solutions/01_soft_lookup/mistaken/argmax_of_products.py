# mistakes: score-elementwise-product
import numpy as np


def hard_lookup(query, keys, values):
    scores = query * keys
    best_row = 0
    for i in range(len(scores)):
        if scores[i].max() > scores[best_row].max():
            best_row = i
    return values[best_row]


def softmax(x, axis=-1):
    first = np.moveaxis(x, axis, 0)
    e = np.exp(first - first.max(0))
    return np.moveaxis(e / e.sum(0), 0, axis)


def soft_lookup(queries, keys, values):
    scores = np.einsum("md,nd->mn", queries, keys)
    attention = softmax(scores, axis=1)
    return np.einsum("mn,nv->mv", attention, values), attention
