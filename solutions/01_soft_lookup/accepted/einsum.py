# accepted: einsum for all products, the logarithms of the weights first
import numpy as np


def hard_lookup(query, keys, values):
    scores = np.einsum("d,nd->n", query, keys)
    return values[scores.argmax()]


def softmax(x, axis=-1):
    shifted = x - np.max(x, axis, keepdims=True)
    log_weights = shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))
    return np.exp(log_weights)


def soft_lookup(queries, keys, values):
    scores = np.einsum("md,nd->mn", queries, keys)
    attention = softmax(scores, axis=1)
    return np.einsum("mn,nv->mv", attention, values), attention
