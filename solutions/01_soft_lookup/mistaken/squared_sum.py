# mistakes: softmax-normalised-to-length-one
import numpy as np


def hard_lookup(query, keys, values):
    score_of = {i: float(np.dot(query, keys[i])) for i in range(keys.shape[0])}
    return values[max(score_of, key=score_of.get)]


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / np.linalg.norm(e, axis=axis, keepdims=True)


def soft_lookup(queries, keys, values):
    scores = np.einsum("md,nd->mn", queries, keys)
    attention = softmax(scores, axis=1)
    return np.einsum("mn,nv->mv", attention, values), attention
